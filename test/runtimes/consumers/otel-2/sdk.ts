/** OpenTelemetry SDK 2 for the job. */
import type { TracerProvider } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";

export function openSdk(processors: readonly SpanProcessor[]): {
  provider: TracerProvider;
  finished: () => ReadableSpan[];
} {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    spanProcessors: [...processors, new SimpleSpanProcessor(exporter)],
  });
  return { provider, finished: () => exporter.getFinishedSpans() };
}
