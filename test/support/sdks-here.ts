/** Real tracing in memory on the SDKs that run here; SDK 3.x runs the same suites in test/frameworks/otel-sdk-3. */
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import * as sdk1 from "otel-sdk-1";
import type { LimitedSdk } from "./limit-suite.ts";

export const sdk2: LimitedSdk = {
  name: "SDK 2.x",
  limitsEvents: true,
  readsEnvironment: true,
  open({ processors = [], limits } = {}) {
    const exporter = new InMemorySpanExporter();
    const provider = new NodeTracerProvider({
      ...(limits && { spanLimits: limits }),
      spanProcessors: [...(processors as SpanProcessor[]), new SimpleSpanProcessor(exporter)],
    });
    return {
      tracer: provider.getTracer("test"),
      finished: () => exporter.getFinishedSpans(),
      close: () => provider.shutdown(),
    };
  },
};

export const sdk130: LimitedSdk = {
  name: "SDK 1.30",
  limitsEvents: false,
  readsEnvironment: true,
  open({ processors = [], limits } = {}) {
    const exporter = new sdk1.InMemorySpanExporter();
    const provider = new sdk1.BasicTracerProvider({
      ...(limits && { spanLimits: limits }),
      spanProcessors: [...(processors as sdk1.SpanProcessor[]), new sdk1.SimpleSpanProcessor(exporter)],
    });
    return {
      tracer: provider.getTracer("test"),
      finished: () => exporter.getFinishedSpans(),
      close: () => provider.shutdown(),
    };
  },
};

export const sdksHere: readonly LimitedSdk[] = [sdk130, sdk2];
