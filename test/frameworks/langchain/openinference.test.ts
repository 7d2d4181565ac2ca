import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import * as callbackManager from "@langchain/core/callbacks/manager";
import { describeScenarios } from "./scenarios.ts";
import { provider } from "./tracing.ts";

new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(callbackManager);

describeScenarios({
  name: "OpenInference",
  row: "LangChain 1 with OpenInference",
  isTool: (span) => span.attributes["openinference.span.kind"] === "TOOL",
  config: () => ({}),
  isDelegate: (span) => span.name === "delegate",
  keepsRunsApart: false,
});
