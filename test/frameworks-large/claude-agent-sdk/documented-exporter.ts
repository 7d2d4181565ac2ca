/** The exporting processor that the documented example takes. */
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";

export const exporter = new InMemorySpanExporter();
export const exporting = new SimpleSpanProcessor(exporter);
