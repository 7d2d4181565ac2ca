import { OpenInferenceTracingProcessor } from "@arizeai/openinference-instrumentation-openai-agents";
import type { Bridge } from "./bridge.ts";

export const openInference: Bridge = {
  name: `OpenInference${process.env.ROW_ENDING ?? ""}`,
  processors: (tracerProvider) => [
    new OpenInferenceTracingProcessor(tracerProvider === undefined ? {} : { tracerProvider }),
  ],
  result: "output.value",
  agentSpan: (agent) => agent,
};
