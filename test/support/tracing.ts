/** Real tracing for tests: SDK 2.x and SDK 1.30, in memory. SDK 3.x runs the same suites in test/frameworks/otel-sdk-3. */
import { type Attributes, context, type Span, type Tracer, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import * as sdk1 from "otel-sdk-1";

/** What a suite needs of an SDK. */
export interface TestSdk {
  readonly name: string;
  open(options?: { processors?: unknown[] }): TestTracing;
}

export interface TestTracing {
  readonly tracer: Tracer;
  /** Finished spans, in the order in which they ended. */
  finished(): FinishedSpan[];
  close(): Promise<void>;
}

/** What every SDK's finished span has. */
export interface FinishedSpan {
  readonly name: string;
  readonly attributes: Attributes;
  readonly status: { readonly code: number; readonly message?: string };
  readonly events: readonly { readonly name: string; readonly attributes?: Attributes }[];
  spanContext(): { readonly traceId: string; readonly spanId: string };
}

export const sdk2: TestSdk = {
  name: "SDK 2.x",
  open({ processors = [] } = {}) {
    const exporter = new InMemorySpanExporter();
    const provider = new NodeTracerProvider({
      spanProcessors: [...(processors as SpanProcessor[]), new SimpleSpanProcessor(exporter)],
    });
    return {
      tracer: provider.getTracer("test"),
      finished: () => exporter.getFinishedSpans() as ReadableSpan[],
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

/** Registers a context manager for the whole file: what `provider.register()` does for an application. */
export function useContextManager(): void {
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
}

/** Runs `fn` with a new span active, ends it, and returns what `fn` returned. */
export async function inSpan<Result>(
  tracer: Tracer,
  name: string,
  attributes: Attributes,
  fn: (span: Span) => Result,
): Promise<Awaited<Result>> {
  const span = tracer.startSpan(name, { attributes });
  try {
    return await context.with(trace.setSpan(context.active(), span), () => fn(span));
  } finally {
    span.end();
  }
}

/** The attributes of a tool span as a `gen_ai` framework writes it. */
export const toolSpanAttributes = (name: string, callId?: string): Attributes => ({
  "gen_ai.operation.name": "execute_tool",
  "gen_ai.tool.name": name,
  ...(callId === undefined ? {} : { "gen_ai.tool.call.id": callId }),
});

/** The `trustabl.*` attributes of a span. */
export function labelsOf(span: { readonly attributes: Attributes } | undefined): Attributes {
  return Object.fromEntries(
    Object.entries(span?.attributes ?? {}).filter(([name]) => name.startsWith("trustabl.")),
  );
}
