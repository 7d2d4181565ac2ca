/**
 * The spans that OpenInference makes in this process, led to the call or the query they stand for.
 *
 * They carry no call id. But OpenInference starts a tool's span in its own hook, within the context that was put around
 * that hook, and the agent's span right before it calls the `query` beneath it. Both are certain; the order of the calls
 * was rejected, since a hook with a matcher sees only some of them.
 *
 * @module
 */
import { type Context, context, createContextKey } from "@opentelemetry/api";
import { report } from "../../labels/diagnostics.ts";
import { factsOf, isUsable, type LabelSpan } from "../../labels/span.ts";
import type { TrackedSpan } from "../../tracker/index.ts";
import type { AgentCall } from "./tool-calls.ts";

const SCOPE = "@arizeai/openinference-instrumentation-claude-agent-sdk";
const AGENT_SPAN = "ClaudeAgent.query";

const CALL = createContextKey("agent-reliability-otel-labels.claude-agent-call");

/** The context with the call in it that a hook is about. */
export function contextWithCall(parent: Context, call: AgentCall | undefined): Context {
  return call === undefined ? parent : parent.setValue(CALL, call);
}

/** A span processor. It makes nothing and exports nothing, and no method throws. */
export class LiveSpanFinder {
  #agentSpan: LabelSpan | undefined;

  /** Called by the OpenTelemetry SDK when a span starts. */
  onStart(span: TrackedSpan, _parentContext?: unknown): void {
    try {
      const { scope, name } = factsOf(span);
      const started = span as object as LabelSpan;
      if (scope !== SCOPE || !isUsable(started)) return;
      if (name === AGENT_SPAN) this.#offerAgentSpan(started);
      // Not the span's parent context: that is the agent's, and knows no call.
      const call = context.active().getValue(CALL) as AgentCall | undefined;
      if (call !== undefined && name === call.toolName) call.span.attach(started);
    } catch {
      report(
        "agent span start",
        "",
        () => "a span that started could not be looked at; its labels may be missing",
      );
    }
  }

  /** Called by the OpenTelemetry SDK when a span has ended. */
  onEnd(_span: TrackedSpan): void {}

  /** Nothing is buffered. */
  async forceFlush(): Promise<void> {}

  /** Nothing is kept. */
  async shutdown(): Promise<void> {}

  #offerAgentSpan(span: LabelSpan): void {
    this.#agentSpan = span;
    queueMicrotask(() => {
      if (this.#agentSpan === span) this.#agentSpan = undefined;
    });
  }

  /** The agent's span that was started right now, if one was; gives it once. */
  takeAgentSpan(): LabelSpan | undefined {
    const span = this.#agentSpan;
    this.#agentSpan = undefined;
    return span;
  }
}
