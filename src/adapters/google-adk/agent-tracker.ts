/**
 * Marking delegated agents of ADK: by a transfer, as a tool, or as a step of a composed agent, an agent's span always starts
 * below another agent's. A callback of the agent was rejected: whether an agent was delegated to or begins the run depends on
 * the session, and only its span's place tells.
 *
 * @module
 */
import { recogniseSpan } from "../../attributes/conventions.ts";
import { report } from "../../labels/diagnostics.ts";
import { markHandoff } from "../../labels/run-span.ts";
import { factsOf, idsOf, isUsable, type LabelSpan } from "../../labels/span.ts";
import type { TrackedSpan } from "../../tracker/index.ts";

const SCOPE = "gcp.vertex.agent";
/** Live spans remembered. */
const MAX_LIVE_SPANS = 10_000;

/**
 * A span processor that writes `trustabl.handoff_id` on the spans of delegated agents. Give it to the tracer provider, before
 * the exporting processors. It creates nothing and exports nothing.
 *
 * @example
 * ```ts
 * import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
 * import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
 * import { AdkAgentTracker } from "agent-reliability-otel-labels/google-adk";
 *
 * new NodeTracerProvider({
 *   spanProcessors: [new AdkAgentTracker(), new BatchSpanProcessor(new OTLPTraceExporter())],
 * }).register();
 * ```
 */
export class AdkAgentTracker {
  /** Ids of live spans that are an agent's or stand below one, oldest first. */
  readonly #inAgent = new Set<string>();

  /** Called by the OpenTelemetry SDK when a span starts. */
  onStart(span: TrackedSpan, _parentContext?: unknown): void {
    try {
      const spanId = idsOf(span)?.spanId;
      if (spanId === undefined || !isUsable(span as object as LabelSpan)) return;
      const delegated = this.#inAgent.has(parentOf(span) ?? "");
      const facts = factsOf(span);
      const isAgent = facts.scope === SCOPE && recogniseSpan(facts)?.role === "agent";
      if (isAgent || delegated) this.#remember(spanId);
      // The span's own id: it is random, unique, and at hand.
      if (isAgent && delegated) markHandoff(span as object as LabelSpan, spanId);
    } catch {
      report(
        "adk handoff",
        "",
        () => "trustabl.handoff_id was left out: marking a delegated agent of ADK failed",
      );
    }
  }

  /** Called by the OpenTelemetry SDK when a span has ended. */
  onEnd(span: TrackedSpan): void {
    this.#inAgent.delete(idsOf(span)?.spanId ?? "");
  }

  /** How many live spans are remembered: for tests and gauges. */
  get size(): number {
    return this.#inAgent.size;
  }

  /** Nothing is buffered. */
  async forceFlush(): Promise<void> {}

  /** Forgets everything. */
  async shutdown(): Promise<void> {
    this.#inAgent.clear();
  }

  #remember(spanId: string): void {
    this.#inAgent.add(spanId);
    if (this.#inAgent.size <= MAX_LIVE_SPANS) return;
    const [oldest] = this.#inAgent;
    if (oldest !== undefined) this.#inAgent.delete(oldest);
    report(
      "adk spans overflow",
      "",
      () => `more than ${MAX_LIVE_SPANS} spans of ADK are live: the oldest are forgotten; do they ever end?`,
    );
  }
}

// SDK 1.x has the parent's id, later ones its whole context.
function parentOf(span: object): string | undefined {
  const { parentSpanContext, parentSpanId } = span as {
    parentSpanContext?: { spanId?: string };
    parentSpanId?: string;
  };
  return parentSpanContext?.spanId ?? parentSpanId;
}
