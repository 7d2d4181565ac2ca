/**
 * The tracker as OpenTelemetry sees it. It creates nothing and exports nothing.
 *
 * It relies on `onStart` and `onEnd` alone: `onEnding` is not there before SDK 2.3. And it never throws: an `onStart`
 * that throws comes out of the framework's `startSpan`.
 *
 * @module
 */
import { report } from "../labels/diagnostics.ts";
import { idsOf, type LabelSpan } from "../labels/span.ts";
import {
  addToolSpanSource,
  removeToolSpanSource,
  type ToolSpanQuery,
  type ToolSpanSource,
} from "../tool/tool-span-source.ts";
import { markDelegatedAgent } from "./handoff.ts";
import { LiveSpans, toolSpanOf } from "./live-spans.ts";
import { WaitingCalls } from "./waiting-calls.ts";

/** A span as an SDK hands it to a span processor; what more there is of it is read if it is there. */
export interface TrackedSpan {
  /** The ids by which the span is known: 32 and 16 hexadecimal characters. */
  spanContext(): { readonly traceId: string; readonly spanId: string };
}

/**
 * Knows the live tool spans of a tracer provider. Give it to the provider, before the exporting processors; wrapped
 * tools find it by themselves. Fits the SDKs 1.30, 2.x and 3.x.
 *
 * @example
 * ```ts
 * import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
 * import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
 * import { ToolSpanTracker } from "agent-reliability-otel-labels/tracker";
 *
 * new NodeTracerProvider({
 *   spanProcessors: [new ToolSpanTracker(), new BatchSpanProcessor(new OTLPTraceExporter())],
 * }).register();
 * ```
 */
export class ToolSpanTracker implements ToolSpanSource {
  readonly #live = new LiveSpans();
  readonly #waiting = new WaitingCalls();

  /** From now on, wrapped tools find it by themselves, until it is shut down. */
  constructor() {
    addToolSpanSource(this);
  }

  /** Called by the SDK when a span starts. */
  onStart(span: TrackedSpan, parentContext?: unknown): void {
    markDelegatedAgent(span, parentContext);
    try {
      const started = toolSpanOf(span);
      if (started === undefined) return;
      this.#live.add(started);
      this.#waiting.offer(started);
    } catch {
      report(
        "tracker start",
        "",
        () => "the span tracker failed on a span that started; its labels may be missing",
      );
    }
  }

  /** Called by the SDK when a span has ended. */
  onEnd(span: TrackedSpan): void {
    try {
      const ids = idsOf(span);
      if (ids !== undefined) this.#live.remove(ids.spanId);
    } catch {
      report("tracker end", "", () => "the span tracker failed on a span that ended");
    }
  }

  /** The live tool span of a call, by its call id; `undefined` when there is none or the choice is not certain. */
  find(query: ToolSpanQuery): LabelSpan | undefined {
    return this.#live.byCall(query);
  }

  /** The live tool span with this span id, for code that knows the id from its framework. */
  findBySpanId(spanId: string): LabelSpan | undefined {
    return this.#live.bySpanId(spanId);
  }

  /** Calls `onSpan` once when the span of a call starts later; the returned function ends the waiting. */
  wait(query: ToolSpanQuery, onSpan: (span: LabelSpan) => void): (() => void) | undefined {
    return this.#waiting.add(query, onSpan);
  }

  /** How many tool spans are live and how many calls wait for one: for tests and gauges. */
  get size(): { readonly live: number; readonly waiting: number } {
    return { live: this.#live.size, waiting: this.#waiting.size };
  }

  /** Nothing is buffered. */
  async forceFlush(): Promise<void> {}

  /** Forgets everything; wrapped tools do not ask this tracker any more. */
  async shutdown(): Promise<void> {
    removeToolSpanSource(this);
    this.#live.clear();
    this.#waiting.clear();
  }
}
