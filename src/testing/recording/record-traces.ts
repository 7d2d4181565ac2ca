/**
 * Recording the spans of a test.
 *
 * @module
 */
import { hearDiagnostics } from "./diagnostics.ts";
import { RecordedTraces } from "./recorded-traces.ts";
import { SpanRecorder } from "./span-recorder.ts";
import type { SpanProcessorLike } from "./span-types.ts";
import { givenTracing, privateTracing, registeredTracing, type Tracing } from "./tracing.ts";

/** Options of {@link recordTraces}. */
export interface RecordTracesOptions {
  /**
   * Register a tracer provider and a context manager with OpenTelemetry, so that everything in the process is
   * recorded. Default true. Only one recording of a process can: tests that run at the same time say `false` and hand
   * `traces.provider` (or `traces.processor`, for a provider of their own) to what they test.
   */
  readonly register?: boolean | undefined;
  /** Record from this provider, where its SDK lets a processor be added (1.x). Nothing is registered. */
  readonly provider?: object | undefined;
  /** More span processors, which get each span first: a `ToolSpanTracker`, for example. */
  readonly spanProcessors?: readonly SpanProcessorLike[] | undefined;
  /** The SDK's module, where it cannot be found: `await import("@opentelemetry/sdk-trace-node")`. */
  readonly sdk?: object | undefined;
  /**
   * How long reading waits for agent and tool spans to end, in milliseconds. Default 100: some frameworks end
   * them a little after the result is there.
   */
  readonly settleMilliseconds?: number | undefined;
}

/**
 * Records every span from now on, in memory. Close the recording when the test is over; `await using` does it by itself.
 *
 * @throws TestingError `provider_taken` or `already_recording` when OpenTelemetry would ignore the registration,
 *   `api_mismatch`, `sdk_missing`, `context_manager_missing`, `provider_fixed`
 * @example
 * ```ts
 * import { recordTraces } from "agent-reliability-otel-labels/testing";
 *
 * declare function runTheAgent(): Promise<void>;
 * const traces = recordTraces();
 * try {
 *   await runTheAgent();
 *   await traces.assertVerified();
 * } finally {
 *   await traces.close();
 * }
 * ```
 */
export function recordTraces(options: RecordTracesOptions = {}): RecordedTraces {
  const recorder = new SpanRecorder();
  const extra = options.spanProcessors ?? [];
  const diagnostics = hearDiagnostics();
  try {
    return new RecordedTraces({
      recorder,
      diagnostics,
      extra,
      tracing: tracingFor(options, [...extra, recorder]),
      settleMilliseconds: options.settleMilliseconds ?? 100,
    });
  } catch (error) {
    diagnostics.stop();
    throw error;
  }
}

// A provider of its own is made when it is asked for: with `traces.processor` alone none is needed.
function tracingFor(
  { provider, register, sdk }: RecordTracesOptions,
  processors: readonly SpanProcessorLike[],
): Tracing | (() => Tracing) {
  if (provider !== undefined) return givenTracing(processors, provider);
  if (register === false) return () => privateTracing(processors, sdk);
  return registeredTracing(processors, sdk);
}
