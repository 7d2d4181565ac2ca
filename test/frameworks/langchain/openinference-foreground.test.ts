import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import * as callbackManager from "@langchain/core/callbacks/manager";
import { describeScenarios } from "./scenarios.ts";
import { provider } from "./tracing.ts";

// Read by every callback handler when it is made.
process.env.LANGCHAIN_CALLBACKS_BACKGROUND = "false";
new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(callbackManager);

describeScenarios({
  name: "OpenInference and LANGCHAIN_CALLBACKS_BACKGROUND=false",
  // The same row as in the background.
  row: undefined,
  isTool: (span) => span.attributes["openinference.span.kind"] === "TOOL",
  config: () => ({}),
  isDelegate: (span) => span.name === "delegate",
  keepsRunsApart: true,
});
