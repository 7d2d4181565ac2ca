import type { Span } from "@opentelemetry/api";
import { describe, it } from "vitest";
import { labelTools } from "../../../src/adapters/langchain.ts";
import { sdk2 } from "../../support/sdks-here.ts";
import { useContextManager } from "../../support/tracing.ts";
import { expectNoMixUp, type LoopCall, search } from "../many-runs.ts";

useContextManager();

describe("1,000 calls of 50 runs of LangChain at the same time, a third of them with a late span", () => {
  it("are not mixed up", async () => {
    const tracing = sdk2.open();
    const [tool] = labelTools([
      {
        name: "search",
        _call: (input: LoopCall["input"], _manager: object, { toolCallId }: { toolCallId: string }) =>
          search(input, toolCallId),
      },
    ]);
    // One handler for all, as an instrumentation has it.
    const runs: Record<string, { span: Span }> = {};
    const handlers = [{ name: "OpenInferenceLangChainTracer", runs }];
    await expectNoMixUp(tracing, async ({ id, input, attributes, late }) => {
      const runId = `${input.run} ${id}`;
      const start = async () => {
        for (let turn = 0; late && turn < 30; turn += 1) await undefined;
        runs[runId] = { span: tracing.tracer.startSpan("search", { attributes }) };
      };
      const started = start();
      const result = await tool._call(input, { runId, handlers }, { toolCallId: id });
      await started;
      runs[runId]?.span.end();
      delete runs[runId];
      return result;
    });
    await tracing.close();
  });
});
