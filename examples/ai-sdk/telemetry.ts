/** OpenTelemetry as an application sets it up, and the finished spans kept in memory to look at. */
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  BatchSpanProcessor,
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { ToolSpanTracker } from "agent-reliability-otel-labels/tracker";

/** Whether spans are sent to a collector too: the exporter reads the address from this variable by itself. */
export const exportsToCollector = Boolean(process.env.OTEL_EXPORTER_OTLP_ENDPOINT);

export function startTelemetry() {
  const memory = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({
    spanProcessors: [
      new ToolSpanTracker(),
      new SimpleSpanProcessor(memory),
      ...(exportsToCollector ? [new BatchSpanProcessor(new OTLPTraceExporter())] : []),
    ],
  });
  provider.register();
  return { memory, provider };
}
