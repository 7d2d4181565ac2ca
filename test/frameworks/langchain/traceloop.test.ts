import * as callbackManager from "@langchain/core/callbacks/manager";
import { LangChainInstrumentation } from "@traceloop/instrumentation-langchain";
import { expect, it } from "vitest";
import { labelTools } from "../../../src/adapters/langchain.ts";
import { search, searchTool } from "./agents.ts";
import { describeScenarios } from "./scenarios.ts";
import { inRun, provider, takeSpans } from "./tracing.ts";

const instrumentation = new LangChainInstrumentation();
instrumentation.setTracerProvider(provider);
instrumentation.manuallyInstrument({ callbackManagerModule: callbackManager } as never);

describeScenarios({
  name: "Traceloop",
  row: "LangChain 1 with Traceloop",
  isTool: (span) => span.attributes["gen_ai.operation.name"] === "execute_tool",
  config: () => ({}),
  // This instrumentation drops the callbacks that a tool passes on to what it calls.
  isDelegate: undefined,
  keepsRunsApart: false,
});

it("fills in the tool's name, which Traceloop's span does not show", async () => {
  const [labelled] = labelTools([searchTool]);
  await inRun(() => labelled.invoke({ type: "tool_call", ...search("c1") }));
  const span = (await takeSpans()).find(({ name }) => name === "execute_tool DynamicStructuredTool");
  expect(span?.attributes["gen_ai.tool.name"]).toBe("search");
});
