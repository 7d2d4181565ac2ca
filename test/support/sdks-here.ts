/** Real tracing in memory on the SDKs that run here; SDK 3.x runs the same suites in test/frameworks/otel-sdk-3. */
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import * as sdk1 from "otel-sdk-1";
import type { TestSdk } from "./tracing.ts";

export const sdk2: TestSdk = {
  name: "SDK 2.x",
  open({ processors = [] } = {}) {
    const exporter = new InMemorySpanExporter();
    const provider = new NodeTracerProvider({
      spanProcessors: [...(processors as SpanProcessor[]), new SimpleSpanProcessor(exporter)],
    });
    return {
      tracer: provider.getTracer("test"),
      finished: () => exporter.getFinishedSpans(),
      close: () => provider.shutdown(),
    };
  },
};

export const sdk130: TestSdk = {
  name: "SDK 1.30",
  open({ processors = [] } = {}) {
    const exporter = new sdk1.InMemorySpanExporter();
    const provider = new sdk1.BasicTracerProvider({
      spanProcessors: [...(processors as sdk1.SpanProcessor[]), new sdk1.SimpleSpanProcessor(exporter)],
    });
    return {
      tracer: provider.getTracer("test"),
      finished: () => exporter.getFinishedSpans(),
      close: () => provider.shutdown(),
    };
  },
};

export const sdksHere: readonly TestSdk[] = [sdk130, sdk2];
