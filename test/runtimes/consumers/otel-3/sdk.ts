/** OpenTelemetry SDK 3 for the job. */
import type { TracerProvider as ApiTracerProvider } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";

export function openSdk(processors: readonly SpanProcessor[]): {
  provider: ApiTracerProvider;
  finished: () => ReadableSpan[];
} {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({
    spanProcessors: [...processors, new SimpleSpanProcessor({ exporter })],
  });
  return { provider, finished: () => exporter.getFinishedSpans() };
}
