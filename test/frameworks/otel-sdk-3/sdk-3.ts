/** SDK 3.x for the shared suites. */
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type SpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { TestSdk } from "../../support/tracing.ts";

export const sdk3: TestSdk = {
  name: "SDK 3.x",
  open({ processors = [] } = {}) {
    const exporter = new InMemorySpanExporter();
    const provider = new TracerProvider({
      spanProcessors: [...(processors as SpanProcessor[]), new SimpleSpanProcessor({ exporter })],
    });
    return {
      tracer: provider.getTracer("test"),
      finished: () => exporter.getFinishedSpans() as never,
      close: () => provider.shutdown(),
    };
  },
};
