/**
 * What the OpenAI Agents SDK says about where the running code is: its own current span. These are the SDK's internals, so
 * everything is read as if it might not be there; what cannot be read is not found.
 *
 * @module
 */

/** A span of the SDK (not of OpenTelemetry). */
export interface SdkSpan {
  readonly spanId: string;
  readonly traceId?: unknown;
  readonly parentId?: unknown;
  readonly error?: unknown;
  readonly endedAt?: unknown;
  readonly previousSpan?: unknown;
  readonly spanData: { readonly type?: unknown; readonly name?: unknown; readonly to_agent?: unknown };
}

// Set by the SDK from 0.3.8 on, so that several copies of it share one state.
const TRACE_PROVIDER = Symbol.for("openai.agents.core.traceProvider");

/** How far up the spans are followed: agents that call agents as tools nest a few levels per agent. */
const MAX_LEVELS = 64;

/** What a call or an agent consists of: the search for a call's span does not go past these. */
const STRUCTURE: readonly unknown[] = ["agent", "task", "turn", "handoff"];

/** The SDK's current span, then what it says was current before, outwards. Never throws. */
export function currentSdkSpans(): readonly SdkSpan[] {
  const spans: SdkSpan[] = [];
  try {
    const provider = (globalThis as Record<symbol, unknown>)[TRACE_PROVIDER] as
      | { getCurrentSpan?(): unknown }
      | undefined;
    let span = asSdkSpan(provider?.getCurrentSpan?.());
    while (span !== undefined && spans.length < MAX_LEVELS) {
      spans.push(span);
      span = asSdkSpan(span.previousSpan);
    }
  } catch {
    // What was read up to here stays.
  }
  return spans;
}

function asSdkSpan(value: unknown): SdkSpan | undefined {
  const span = value as SdkSpan | null | undefined;
  // The SDK's span for disabled tracing has the id "no-op".
  const usable =
    typeof span?.spanId === "string" && span.spanId !== "no-op" && typeof span.spanData === "object";
  return usable && span.spanData !== null ? span : undefined;
}

/**
 * The span of the tool call that the running code is directly in: spans of the application in between do not matter, an
 * agent in between does. After a timeout the SDK's context is not the call's any more.
 */
export function callOf(spans: readonly SdkSpan[]): SdkSpan | undefined {
  const nearest = spans.find(
    ({ spanData }) => spanData.type === "function" || STRUCTURE.includes(spanData.type),
  );
  return nearest?.spanData.type === "function" && !nearest.endedAt ? nearest : undefined;
}

/** The span of the running call of this tool. The SDK writes the name of a namespaced tool as `namespace.tool`. */
export function currentCallOf(toolName: string): SdkSpan | undefined {
  const call = callOf(currentSdkSpans());
  const name = call?.spanData.name;
  return typeof name === "string" && (name === toolName || name.endsWith(`.${toolName}`)) ? call : undefined;
}
