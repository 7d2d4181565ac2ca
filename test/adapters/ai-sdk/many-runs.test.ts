import { describe, expect, it } from "vitest";
import { labelTelemetry, labelTools } from "../../../src/adapters/ai-sdk.ts";
import { sdk2 } from "../../support/sdks-here.ts";
import { inSpan, useContextManager } from "../../support/tracing.ts";
import { expectNoMixUp, type LoopCall, search } from "../many-runs.ts";

useContextManager();

describe("1,000 calls of 50 runs of the AI SDK at the same time", () => {
  const execute = (input: LoopCall["input"], { toolCallId }: { toolCallId: string }) =>
    search(input, toolCallId);

  it("are not mixed up by wrapped tools", async () => {
    const tracing = sdk2.open();
    const tools = labelTools({ search: { execute } });
    await expectNoMixUp(tracing, ({ id, input, attributes }) =>
      inSpan(
        tracing.tracer,
        "ai.toolCall",
        { ...attributes, "ai.toolCall.name": "search", "ai.toolCall.id": id },
        () => tools.search.execute(input, { toolCallId: id }),
      ),
    );
    await tracing.close();
  });

  it("are not mixed up by the telemetry integration", async () => {
    const tracing = sdk2.open();
    const telemetry = labelTelemetry();
    await expectNoMixUp(tracing, ({ id, input, attributes }) => {
      const event = { callId: `run ${input.run}`, toolCall: { toolName: "search", toolCallId: id, input } };
      const onSpan = {
        ...attributes,
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "search",
        "gen_ai.tool.call.id": id,
      };
      return inSpan(tracing.tracer, "execute_tool search", onSpan, async () => {
        const output = await telemetry.executeTool({
          ...event,
          execute: () => execute(input, { toolCallId: id }),
        });
        telemetry.onToolExecutionEnd({ ...event, toolOutput: { type: "tool-result", output } });
        return output;
      });
    });
    expect(tracing.finished().length).toBe(1_050);
    await tracing.close();
  });
});
