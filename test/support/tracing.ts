/** What suites need of tracing, whatever the SDK. */
import { type Attributes, context, type Span, type Tracer, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { afterEach, beforeEach } from "vitest";

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
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code: number; readonly message?: string };
  readonly events: readonly {
    readonly name: string;
    readonly attributes?: Readonly<Record<string, unknown>>;
  }[];
  spanContext(): { readonly traceId: string; readonly spanId: string };
}

/** Registers a context manager for the whole file: what `provider.register()` does for an application. */
export function useContextManager(): void {
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
}

/** Opens tracing anew for each test of the file, and a context manager for all of them. */
export function useTracing(sdk: TestSdk): TestTracing {
  useContextManager();
  let tracing: TestTracing;
  beforeEach(() => {
    tracing = sdk.open();
  });
  afterEach(() => tracing.close());
  return {
    get tracer() {
      return tracing.tracer;
    },
    finished: () => tracing.finished(),
    close: () => tracing.close(),
  };
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
export function labelsOf(
  span: { readonly attributes: Readonly<Record<string, unknown>> } | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(span?.attributes ?? {}).filter(([name]) => name.startsWith("trustabl.")),
  );
}
