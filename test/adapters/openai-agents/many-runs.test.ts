import { afterAll, describe, expect, it } from "vitest";
import {
  AgentsSpanTracker,
  labelRunner,
  labelTool,
  labelTools,
} from "../../../src/adapters/openai-agents.ts";
import { sdk2 } from "../../support/sdks-here.ts";
import { useContextManager } from "../../support/tracing.ts";
import { expectNoMixUp, type LoopCall, search } from "../many-runs.ts";
import { callTool, installFakeSdk } from "./fake-sdk.ts";

useContextManager();
afterAll(installFakeSdk());

interface Details {
  readonly toolCall: { readonly type: string; readonly callId: string; readonly arguments: string };
}
const execute = (input: LoopCall["input"], _context: unknown, { toolCall }: Details) =>
  search(input, toolCall.callId);
const wrapped = labelTool({ name: "search" }, execute);

const newTool = (run: typeof execute) => ({
  type: "function" as const,
  name: "search",
  invoke: (context: unknown, text: string, details: Details) => run(JSON.parse(text), context, details),
});

describe("1,000 calls of 50 runs of OpenAI Agents at the same time, a third of them with a late span", () => {
  it.each([
    ["a wrapped function", newTool(wrapped), false],
    ["a list of tools", labelTools([newTool(execute)])[0], false],
    ["hooks", newTool(execute), true],
    ["all of these", labelTools([newTool(wrapped)])[0], true],
  ])("are not mixed up by %s", async (_way, tool, hooks) => {
    const tracker = new AgentsSpanTracker();
    const tracing = sdk2.open({ processors: [tracker] });
    const listeners = new Map<string, (...told: unknown[]) => void>();
    if (hooks) {
      labelRunner(
        { on: (event: string, listener: (...told: unknown[]) => void) => listeners.set(event, listener) },
        { search: {} },
      );
    }
    await expectNoMixUp(tracing, ({ id, input, attributes, late }) =>
      callTool(tracing.tracer, "search", attributes, late ? 6 : 0, async () => {
        const details = {
          toolCall: { type: "function_call", callId: id, arguments: JSON.stringify(input) },
        };
        listeners.get("agent_tool_start")?.({}, {}, tool, details);
        const result = await tool.invoke({}, details.toolCall.arguments, details);
        // The span of a call that waits for nothing is there before its hooks hear of the end.
        for (let turn = 0; turn < 8; turn += 1) await undefined;
        listeners.get("agent_tool_end")?.({}, {}, tool, result, details);
        return result;
      }),
    );
    expect(tracker.size).toEqual({ live: 0, waiting: 0, hooked: 0 });
    await tracing.close();
  });
});
