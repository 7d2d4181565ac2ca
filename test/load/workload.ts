/**
 * Runs of an agent as spans: a root, and for each step a tool call with what surrounds it. The tool's span is nobody's
 * active span: only the tracker knows it, by its call id, as with frameworks that keep their spans to themselves.
 *
 * @module
 */
import { ROOT_CONTEXT, type Tracer, trace } from "@opentelemetry/api";
import { startRun, wrapTool } from "../../src/index.ts";

/** What of a run is made. */
export interface Workload {
  readonly name: string;
  /** Spans of model calls and requests beside each tool call, which are not labelled. */
  readonly others: number;
  /** False for the same spans and the same calls without this package. */
  readonly labelled: boolean;
}

/** What has been made so far. */
export interface Made {
  spans: number;
  toolCalls: number;
  /** Sum over the ids of the spans: the same on both sides only if they are the same spans. */
  idSum: number;
}

const STEPS = 50;
const RESULT = { flights: [{ flight: "XY 12", seats: 3 }], total: 1 };

/** The low half of a span's id as a number. */
export const idNumber = (spanId: string): number => Number.parseInt(spanId.slice(8), 16);

/** Makes spans, one step of a run at a time. */
export function createWorkload(
  { others, labelled }: Workload,
  tracer: Tracer,
): { step(): void; readonly made: Made } {
  const made: Made = { spans: 0, toolCalls: 0, idSum: 0 };
  const bare = (_args: object, _options: object): object => RESULT;
  const search = labelled ? wrapTool({ name: "search", sideEffect: "read" }, bare) : bare;
  const count = (span: ReturnType<Tracer["startSpan"]>): void => {
    made.spans += 1;
    made.idSum = (made.idSum + idNumber(span.spanContext().spanId)) % Number.MAX_SAFE_INTEGER;
    span.end();
  };
  let root = tracer.startSpan("invoke_agent desk");
  let run = labelled ? startRun(root) : undefined;
  let below = trace.setSpan(ROOT_CONTEXT, root);
  let steps = 0;
  return {
    made,
    step() {
      for (let other = 0; other < others; other += 1) {
        count(
          tracer.startSpan(
            "chat scripted",
            { attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": "scripted" } },
            below,
          ),
        );
      }
      const toolCallId = `call_${made.toolCalls}`;
      const attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "search",
        "gen_ai.tool.call.id": toolCallId,
      };
      const span = tracer.startSpan("execute_tool search", { attributes }, below);
      const args = { from: "SFO", to: "JFK", date: "2026-10-01", step: steps };
      if (run === undefined) search(args, { toolCallId });
      else run.with(() => search(args, { toolCallId }));
      made.toolCalls += 1;
      count(span);
      steps += 1;
      if (steps < STEPS) return;
      steps = 0;
      run?.end("final_answer");
      count(root);
      root = tracer.startSpan("invoke_agent desk");
      below = trace.setSpan(ROOT_CONTEXT, root);
      run = labelled ? startRun(root) : undefined;
    },
  };
}
