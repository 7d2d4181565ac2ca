import { createRequire } from "node:module";
import { type Tracer, trace } from "@opentelemetry/api";
import { describeAgents } from "../openai-agents/scenarios.ts";
import type { Agents } from "../openai-agents/traced.ts";

interface Instrumentation {
  setTracerProvider(provider: { getTracer(name: string): Tracer }): void;
}

// By its path: the distribution's entry starts exporters to AWS. It instruments what is required after it.
const require = createRequire(import.meta.url);
const { OpenAIAgentsInstrumentation } =
  require("./node_modules/@aws/aws-distro-opentelemetry-node-autoinstrumentation/build/src/instrumentation/instrumentation-openai-agents/instrumentation.js") as {
    OpenAIAgentsInstrumentation: new (config: object) => Instrumentation;
  };
const instrumentation = new OpenAIAgentsInstrumentation({ captureMessageContent: true });
// It keeps the tracer that it finds now; the scenarios change the global provider.
instrumentation.setTracerProvider({
  getTracer: (name) => ({
    startSpan: (...parameters) => trace.getTracer(name).startSpan(...parameters),
    startActiveSpan: () => {
      throw new Error("not used");
    },
  }),
});
const agents = require("@openai/agents") as Agents;

describeAgents(
  agents,
  "0.20",
  {
    name: "AWS Distro for OpenTelemetry",
    processors: () => [],
    result: "gen_ai.tool.call.result",
    agentSpan: (agent) => `invoke_agent ${agent}`,
  },
  // Its spans start before the SDK's, whatever other processors there are.
  { isLate: false },
);
