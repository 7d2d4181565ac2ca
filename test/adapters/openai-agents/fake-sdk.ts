/** The SDK's own tracing, as far as the adapter reads it, and a bridge to OpenTelemetry like OpenInference's. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Attributes, Tracer } from "@opentelemetry/api";

const PROVIDER = Symbol.for("openai.agents.core.traceProvider");
const globals = globalThis as Record<symbol, unknown>;

export interface FakeSdkSpan {
  readonly spanId: string;
  readonly traceId: string;
  readonly spanData: { readonly type: string; readonly name: string };
  readonly previousSpan: FakeSdkSpan | undefined;
  error: unknown;
}

const storage = new AsyncLocalStorage<FakeSdkSpan>();
let spans = 0;

/** Makes the fake the SDK of the process; the returned function takes it away. */
export function installFakeSdk(): () => void {
  globals[PROVIDER] = { getCurrentSpan: () => storage.getStore() };
  return () => {
    delete globals[PROVIDER];
  };
}

/** Calls `fn` within a span of the SDK, and ends it after. */
export function withSdkSpan<Result>(type: string, name: string, fn: (span: FakeSdkSpan) => Result): Result {
  spans += 1;
  const span = {
    spanId: `span_${spans}`,
    traceId: "trace_1",
    spanData: { type, name },
    previousSpan: storage.getStore(),
    error: undefined,
  };
  return storage.run(span, () => fn(span));
}

/**
 * Makes a tool call as a runner does, with its OpenTelemetry span.
 *
 * @param turns how many turns of the microtask queue the bridge is late
 */
export function callTool<Result>(
  tracer: Tracer,
  name: string,
  attributes: Attributes,
  turns: number,
  fn: (span: FakeSdkSpan) => Promise<Result>,
): Promise<Result> {
  return withSdkSpan("function", name, async (sdkSpan) => {
    const bridge = async () => {
      for (let turn = 0; turn < turns; turn += 1) await undefined;
      const span = tracer.startSpan(name, { attributes });
      span.setAttribute("openinference.span.kind", "TOOL");
      return span;
    };
    const started = bridge();
    try {
      return await fn(sdkSpan);
    } finally {
      (await started).end();
    }
  });
}
