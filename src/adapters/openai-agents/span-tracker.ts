/**
 * From the SDK's current span to the OpenTelemetry span that a bridge made for it.
 *
 * The bridges make their span while the SDK's is current and never make theirs current, so the start of the span is the
 * one moment that shows both. The bridge's own map was rejected: it is private, and each bridge has another.
 *
 * @module
 */
import { recogniseSpan } from "../../attributes/conventions.ts";
import { report } from "../../labels/diagnostics.ts";
import { markHandoff } from "../../labels/run-span.ts";
import { factsOf, isUsable, type LabelSpan } from "../../labels/span.ts";
import type { SharedCall } from "../../tool/shared-call.ts";
import {
  addToolSpanSource,
  removeToolSpanSource,
  type ToolSpanQuery,
  type ToolSpanSource,
  toolSpanSources,
} from "../../tool/tool-span-source.ts";
import type { TrackedSpan } from "../../tracker/index.ts";
import { KeyedSpans } from "../../tracker/keyed-spans.ts";
import { Delegations } from "./delegations.ts";
import { callOf, currentCallOf, currentSdkSpans } from "./sdk-span.ts";

/** Calls between the two tool hooks that are remembered. */
const MAX_HOOKED_CALLS = 10_000;

/**
 * Knows the live tool spans of the OpenAI Agents SDK, and marks the spans of delegated agents (handoffs, agents as tools)
 * with `trustabl.handoff_id`. Give it to the tracer provider that the bridge uses, before the exporting processors; wrapped
 * tools and {@link labelRunner} find it by themselves. It creates nothing and exports nothing.
 *
 * @example
 * ```ts
 * import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
 * import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
 * import { AgentsSpanTracker } from "agent-reliability-otel-labels/openai-agents";
 *
 * new NodeTracerProvider({
 *   spanProcessors: [new AgentsSpanTracker(), new BatchSpanProcessor(new OTLPTraceExporter())],
 * }).register();
 * ```
 */
export class AgentsSpanTracker implements ToolSpanSource {
  /** The SDK's span id is of one call. */
  readonly waitsExactly = true;
  readonly #spans = new KeyedSpans();
  readonly #delegations = new Delegations();
  readonly #hooked = new Map<string, SharedCall>();

  constructor() {
    addToolSpanSource(this);
  }

  /** Called by the OpenTelemetry SDK when a span starts. */
  onStart(span: TrackedSpan, _parentContext?: unknown): void {
    try {
      const around = currentSdkSpans();
      if ((around.length === 0 && !this.#delegations.isAwaiting) || !isUsable(span as object as LabelSpan))
        return;
      const started = span as object as LabelSpan;
      if (around[0]?.spanData.type === "handoff") this.#delegations.begin(around);
      const call = callOf(around);
      if (call !== undefined && isNamed(started, call.spanData.name))
        this.#spans.propose(call.spanId, started);
      // An agent's span, and with some bridges a handoff's, becomes the current one after it has started, and the bridge names
      // its kind after that.
      queueMicrotask(() => this.#markDelegated(started));
    } catch {
      report("agents tracker start", "", () => "the span tracker failed on a span that started");
    }
  }

  /** Called by the OpenTelemetry SDK when a span has ended. */
  onEnd(span: TrackedSpan): void {
    this.#spans.remove(span);
  }

  #markDelegated(span: LabelSpan): void {
    try {
      const around = currentSdkSpans();
      if (around[0]?.spanData.type === "handoff") this.#delegations.begin(around);
      if (recogniseSpan(factsOf(span))?.role !== "agent") return;
      const handoffId = this.#delegations.start(
        around,
        (name) => isNamed(span, name),
        (spanId) => this.#spans.find(spanId) !== undefined,
      );
      if (handoffId !== undefined) markHandoff(span, handoffId);
    } catch {
      report(
        "agents handoff",
        "",
        () => "trustabl.handoff_id was left out: marking a delegated agent failed",
      );
    }
  }

  /** The live span of the call that the running code is in. */
  find({ name }: ToolSpanQuery): LabelSpan | undefined {
    const call = currentCallOf(name);
    return call && this.#spans.find(call.spanId);
  }

  /** Calls `onSpan` once when the span of the call that the running code is in starts later. */
  wait({ name }: ToolSpanQuery, onSpan: (span: LabelSpan) => void): (() => void) | undefined {
    const call = currentCallOf(name);
    return call && this.#spans.wait(call.spanId, onSpan);
  }

  /** The call that the running code is in, if it has begun further out. */
  sharedCall(name: string): SharedCall | undefined {
    const call = currentCallOf(name);
    return call && this.#hooked.get(call.spanId);
  }

  /** Remembers a call that has begun and may begin again further in, by the SDK's span id, until {@link forgetCall}. */
  rememberCall(sdkSpanId: string, shared: SharedCall): void {
    this.#hooked.set(sdkSpanId, shared);
    const [oldest] = this.#hooked.keys();
    if (this.#hooked.size > MAX_HOOKED_CALLS && oldest !== undefined) this.#hooked.delete(oldest);
  }

  /** Forgets a call that has ended. */
  forgetCall(sdkSpanId: string): void {
    this.#hooked.delete(sdkSpanId);
  }

  /** How much is remembered: for tests and gauges. */
  get size(): { readonly live: number; readonly waiting: number; readonly hooked: number } {
    return { ...this.#spans.size, hooked: this.#hooked.size };
  }

  /** Nothing is buffered. */
  async forceFlush(): Promise<void> {}

  /** Forgets everything; wrapped tools do not ask this tracker any more. */
  async shutdown(): Promise<void> {
    removeToolSpanSource(this);
    this.#spans.clear();
    this.#delegations.clear();
    this.#hooked.clear();
  }
}

/** The trackers of the process. */
export function agentsTrackers(): AgentsSpanTracker[] {
  return toolSpanSources().filter((source) => source instanceof AgentsSpanTracker);
}

// OpenInference names the span as the tool or agent, others put the operation before: `execute_tool search`.
function isNamed(span: object, name: unknown): boolean {
  const spanName = factsOf(span).name;
  return typeof name === "string" && (spanName === name || spanName?.endsWith(` ${name}`) === true);
}
