/** SDK 3.x for the shared suites. */
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type SpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { LimitedSdk } from "../../support/limit-suite.ts";

export const sdk3: LimitedSdk = {
  name: "SDK 3.x",
  limitsEvents: true,
  readsEnvironment: false,
  open({ processors = [], limits } = {}) {
    const exporter = new InMemorySpanExporter();
    const provider = new TracerProvider({
      ...(limits && { spanLimits: limits }),
      spanProcessors: [...(processors as SpanProcessor[]), new SimpleSpanProcessor({ exporter })],
    });
    return {
      tracer: provider.getTracer("test"),
      finished: () => exporter.getFinishedSpans() as never,
      close: () => provider.shutdown(),
    };
  },
};
