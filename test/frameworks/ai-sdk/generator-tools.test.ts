/** A tool that yields while agents work for it: what runs after it has yielded belongs where the rest does. */
import { describe, expect, it } from "vitest";
import { ToolSpanTracker, withHandoff } from "../../../src/tracker/index.ts";
import { useContextManager } from "../../support/tracing.ts";
import { inputSchema, modes, only, runAgent, tools } from "./agent.ts";
import { Application, isToolSpan, labelsOf } from "./request.ts";
import { call } from "./scripted-model.ts";

useContextManager();

describe.each(modes)("agents that a generator tool calls, with $title", ({ version, streaming, answer }) => {
  it("are marked one by one, and their calls count in the run that they belong to", async () => {
    const application = new Application([new ToolSpanTracker()]);
    const research = {
      inputSchema,
      async *execute() {
        for (const q of ["a", "b", "c"]) {
          yield `asking ${q}`;
          const inner = await withHandoff(() =>
            runAgent(version, application, {
              streaming,
              script: [[call("call_1", "search", { q })], "done"],
              tools: { search: tools.search },
              definitions: only("search"),
            }),
          );
          yield inner.finishReason;
        }
      },
    };
    await answer(application, { script: [[call("call_1", "research")], "done"], tools: { research } });
    const spans = application.spans();
    const calls = spans.filter(isToolSpan).map(labelsOf);
    calls.sort((one, other) => Number(one.step_index) - Number(other.step_index));
    expect(calls.map(({ step_index, attempt }) => [step_index, attempt])).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
    expect(new Set(calls.map(({ run_id }) => run_id)).size).toBe(1);
    const handoffs = spans.map(labelsOf).flatMap(({ handoff_id }) => handoff_id ?? []);
    expect([handoffs.length, new Set(handoffs).size]).toEqual([3, 3]);
    application.expectVerified();
  });
});
