import { createRequire } from "node:module";
import * as agents from "@openai/agents";
import { type Tracer, trace } from "@opentelemetry/api";
import { describeAgents } from "../openai-agents/scenarios.ts";

// By its path: openlit's entry starts exporters of its own.
const { OpenLITTracingProcessor } = createRequire(import.meta.url)(
  "./node_modules/openlit/dist/instrumentation/openai-agents/processor.js",
) as { OpenLITTracingProcessor: new (tracer: Tracer) => object };

describeAgents(agents, "0.20", {
  name: "openlit",
  processors: (provider = trace.getTracerProvider()) => [
    new OpenLITTracingProcessor(provider.getTracer("@openlit/instrumentation-openai-agents")),
  ],
  result: "gen_ai.tool.call.result",
  agentSpan: (agent) => `invoke_agent ${agent}`,
});
