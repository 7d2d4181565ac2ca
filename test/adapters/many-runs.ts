/** Many runs at the same time, on a loop like a framework's: whatever is mixed up shows in the labels, run by run. */
import { setImmediate } from "node:timers/promises";
import type { Attributes } from "@opentelemetry/api";
import { expect } from "vitest";
import { canonicalFp, currentRun, withRun } from "../../src/index.ts";
import { inSpan, labelsOf, type TestTracing } from "../support/tracing.ts";

const RUNS = 50;
const CALLS = 20;

/** One call of the tool "search". Every run numbers its calls alike, and asks for everything twice. */
export interface LoopCall {
  readonly id: string;
  readonly input: { readonly run: number; readonly question: number };
  /** To find the call's span by, at the end. */
  readonly attributes: Attributes;
  /** Whether the framework is late with the span. */
  readonly late: boolean;
}

/** The function of the tool: its result is of this call alone. */
export const search = async (input: LoopCall["input"], callId: string): Promise<string> => {
  for (let turn = 0; turn < input.question % 4; turn += 1) await setImmediate();
  return `${input.run} ${callId}`;
};

/** Makes 1,000 calls in 50 runs, all at the same time, and checks the labels of every run. */
export async function expectNoMixUp(
  { tracer, finished }: TestTracing,
  makeCall: (call: LoopCall) => Promise<unknown>,
): Promise<void> {
  const callsOf = (run: number) =>
    Array.from({ length: CALLS }, (_, index): LoopCall => {
      const id = `call_${index}`;
      const attributes = { "test.run": run, "test.call": id };
      return { id, input: { run, question: index % (CALLS / 2) }, attributes, late: index % 3 === 0 };
    });
  const runIds = await Promise.all(
    Array.from({ length: RUNS }, (_, run) =>
      inSpan(tracer, "invoke_agent", {}, (root) =>
        withRun(root, async () => {
          const results = await Promise.all(callsOf(run).map(makeCall));
          expect(results).toEqual(callsOf(run).map(({ id }) => `${run} ${id}`));
          return currentRun()?.runId;
        }),
      ),
    ),
  );
  expect(new Set(runIds).size).toBe(RUNS);
  const spans = finished();
  for (const [run, runId] of runIds.entries()) {
    const labels = callsOf(run).map(({ id }) => {
      const own = spans.filter(
        ({ attributes }) => attributes["test.run"] === run && attributes["test.call"] === id,
      );
      expect(own).toHaveLength(1);
      return labelsOf(own[0]);
    });
    for (const [index, { id, input }] of callsOf(run).entries()) {
      expect(labels[index]).toMatchObject({
        "trustabl.run_id": runId,
        "trustabl.tool.input_fp": canonicalFp(input),
        "trustabl.tool.output_fp": canonicalFp(`${run} ${id}`),
      });
    }
    const numbers = (name: string) => labels.map((label) => Number(label[name])).sort((a, b) => a - b);
    expect(numbers("trustabl.step_index")).toEqual(Array.from({ length: CALLS }, (_, index) => index));
    expect(numbers("trustabl.tool.attempt")).toEqual([
      ...Array(CALLS / 2).fill(1),
      ...Array(CALLS / 2).fill(2),
    ]);
  }
}
