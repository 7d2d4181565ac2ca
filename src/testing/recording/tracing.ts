/**
 * The tracer provider that a recording's spans come from: one that the harness registers, one of its own that it does
 * not register, or one that was there.
 *
 * @module
 */
import { type TracerProvider, trace } from "@opentelemetry/api";
import { TestingError } from "../testing-error.ts";
import { acquireContextManager } from "./context-manager.ts";
import { type TracerProviderClass, tracerProviderClass } from "./opentelemetry-sdk.ts";
import { processState, registeredGlobal } from "./process-state.ts";
import type { SpanProcessorLike } from "./span-types.ts";

/** A provider whose spans go to the recording's processors, until it is closed. */
export interface Tracing {
  readonly provider: TracerProvider;
  close(): void;
}

// Every span: a sampler that the environment chooses would make tests pass or fail by it.
const everySpan = {
  shouldSample: (): { decision: number } => ({ decision: 2 }),
  toString: (): string => "every span",
};

/**
 * Registers a provider with OpenTelemetry, as an application's set-up does.
 *
 * The provider sends its spans to whichever recording is open, not to the one that made it: tracers that application
 * modules keep (`const tracer = trace.getTracer(...)` at the top of a file) stay with the first provider of the process,
 * and every later recording would miss their spans.
 *
 * @throws TestingError `already_recording`, `provider_taken`, `sdk_missing`, `context_manager_missing`, `api_mismatch`
 */
export function registeredTracing(
  processors: readonly SpanProcessorLike[],
  sdk: object | undefined,
): Tracing {
  const state = processState();
  if (state.open !== undefined) {
    throw new TestingError(
      "already_recording",
      "Close it first: await traces.close() in afterEach or afterAll. Tests that run at the same time use recordTraces({ register: false }) and hand traces.provider to what they test.",
    );
  }
  const provider = newProvider(tracerProviderClass(sdk), [sendToOpenRecording]);
  const releaseContext = acquireContextManager();
  const taken = registeredGlobal("trace") !== undefined;
  if (!trace.setGlobalTracerProvider(provider)) {
    releaseContext();
    throw taken
      ? new TestingError("provider_taken", TAKEN_ADVICE)
      : new TestingError("api_mismatch", "Have one copy only: see npm ls @opentelemetry/api.");
  }
  const registered = registeredGlobal("trace");
  state.open = processors;
  return {
    provider,
    close() {
      if (state.open === processors) state.open = undefined;
      if (registeredGlobal("trace") === registered) trace.disable();
      releaseContext();
    },
  };
}

const TAKEN_ADVICE =
  "Put the recording into that provider: const traces = recordTraces({ register: false }), and traces.processor among its spanProcessors; a provider of SDK 1.x also takes recordTraces({ provider }). Or remove it first with trace.disable().";

const sendToOpenRecording: SpanProcessorLike = {
  onStart(span, parentContext) {
    for (const processor of processState().open ?? []) processor.onStart(span, parentContext);
  },
  onEnding(span) {
    for (const processor of processState().open ?? []) processor.onEnding?.(span);
  },
  onEnd(span) {
    for (const processor of processState().open ?? []) processor.onEnd(span);
  },
  async forceFlush() {
    await Promise.all((processState().open ?? []).map((processor) => processor.forceFlush()));
  },
  async shutdown() {},
};

/**
 * A provider that OpenTelemetry's globals do not know, so that any number of them can be used at the same time.
 *
 * @throws TestingError `sdk_missing`, `context_manager_missing`, `api_mismatch`
 */
export function privateTracing(processors: readonly SpanProcessorLike[], sdk: object | undefined): Tracing {
  const provider = newProvider(tracerProviderClass(sdk), processors);
  return { provider, close: acquireContextManager() };
}

/**
 * A provider of the application, where its SDK lets a processor be added.
 *
 * @throws TestingError `provider_fixed`
 */
export function givenTracing(processors: readonly SpanProcessorLike[], given: object): Tracing {
  const provider = behindProxy(given) as TracerProvider & {
    addSpanProcessor?: (processor: SpanProcessorLike) => void;
  };
  if (typeof provider.addSpanProcessor !== "function") {
    throw new TestingError(
      "provider_fixed",
      "Providers of SDK 2 and later take their processors when they are made: const traces = recordTraces({ register: false }), then new NodeTracerProvider({ spanProcessors: [traces.processor, ...] }).",
    );
  }
  for (const processor of processors) provider.addSpanProcessor(processor);
  return { provider, close() {} };
}

// What `trace.getTracerProvider()` gives stands in front of the provider that was registered.
function behindProxy(provider: object): object {
  const { getDelegate } = provider as { getDelegate?: () => object };
  return typeof getDelegate === "function" ? getDelegate.call(provider) : provider;
}

const newProvider = (
  providerClass: TracerProviderClass,
  spanProcessors: readonly SpanProcessorLike[],
): TracerProvider => new providerClass({ spanProcessors, sampler: everySpan });
