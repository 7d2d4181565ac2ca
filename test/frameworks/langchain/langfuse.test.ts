import { CallbackHandler } from "@langfuse/langchain";
import { describeScenarios } from "./scenarios.ts";
import "./tracing.ts";

describeScenarios({
  name: "the Langfuse handler",
  row: "LangChain 1 with the Langfuse handler",
  isTool: (span) => span.attributes["langfuse.observation.type"] === "tool",
  config: () => ({ callbacks: [new CallbackHandler()] as never }),
  isDelegate: (span) => span.name === "delegate",
  keepsRunsApart: false,
});
