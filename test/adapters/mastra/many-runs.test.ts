import { describe, it } from "vitest";
import { labelTools } from "../../../src/adapters/mastra.ts";
import { sdk2 } from "../../support/sdks-here.ts";
import { inSpan, useContextManager } from "../../support/tracing.ts";
import { expectNoMixUp, type LoopCall, search } from "../many-runs.ts";

useContextManager();

describe("1,000 calls of 50 runs of Mastra at the same time", () => {
  it("are not mixed up, though their spans show no call id", async () => {
    const tracing = sdk2.open();
    const tools = labelTools({
      search: {
        execute: (input: LoopCall["input"], { agent }: { agent: { toolCallId: string } }) =>
          search(input, agent.toolCallId),
      },
    });
    await expectNoMixUp(tracing, ({ id, input, attributes }) =>
      inSpan(tracing.tracer, "tool: 'search'", attributes, (span) => {
        const currentSpan = { id: span.spanContext().spanId, type: "tool_call" };
        return tools.search.execute(input, {
          agent: { toolCallId: id },
          ...{ tracingContext: { currentSpan } },
        });
      }),
    );
    await tracing.close();
  });
});
