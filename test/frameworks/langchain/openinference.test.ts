import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import * as callbackManager from "@langchain/core/callbacks/manager";
import { describeScenarios } from "./scenarios.ts";
import { provider } from "./tracing.ts";

new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(callbackManager);

describeScenarios({
  name: "OpenInference",
  isTool: (span) => span.attributes["openinference.span.kind"] === "TOOL",
  config: () => ({}),
  isDelegate: (span) => span.name === "delegate",
  keepsRunsApart: false,
});
