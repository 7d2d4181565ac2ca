/**
 * Which span is this tool call's span? The active one often is not: some instrumentations never make a tool's span
 * current, with telemetry off it is the application's request, and inside a nested agent it can be the outer tool's. A
 * label on the wrong span is worse than no label, so a span is taken only when it is recognisably this call's.
 *
 * @module
 */
import { type Context, context, type Span, trace } from "@opentelemetry/api";
import { recogniseSpan } from "../attributes/conventions.ts";
import { report } from "../labels/diagnostics.ts";
import { factsOf, idsOf, isUsable, type LabelSpan, type MaybeSpan } from "../labels/span.ts";
import { currentRunScope } from "../run/run-context.ts";
import type { ToolCall, ToolDefinition } from "./tool-definition.ts";
import { type ToolSpanQuery, toolSpanSources } from "./tool-span-source.ts";

/** What to look for. */
export interface FindToolSpanOptions {
  /** The tool's name. */
  readonly name: string;
  /** The call id that the model gave, where known. */
  readonly callId?: string | undefined;
  /** What the tool was called with; handed to a `span` function. */
  readonly parameters?: readonly unknown[] | undefined;
  /** A span that is known to be the call's, or how to find it. */
  readonly span?: ToolDefinition["span"];
  /** Take the active span even when it is not recognisably this call's. */
  readonly trustActiveSpan?: boolean | undefined;
}

interface LocateToolSpanOptions extends FindToolSpanOptions {
  /** The framework's span shows exactly `name`, so that the same call id under another name is another call. */
  readonly nameIsExact?: boolean | undefined;
}

/**
 * Why no span was found:
 * - `not_recording`: the span that would be taken does not record; tracing is off or the run is not sampled
 * - `no_active_span`: no span is active
 * - `other_span`: the active span is not recognisably this call's
 */
export type NoToolSpanReason = "not_recording" | "no_active_span" | "other_span";

/** The span of a call, or why there is none and what to wait with. */
export type LocatedToolSpan =
  | { readonly span: LabelSpan }
  | {
      readonly span: undefined;
      readonly reason: NoToolSpanReason;
      /** To wait with for a span that has not started yet; only where a source could know of one. */
      readonly query: ToolSpanQuery | undefined;
    };

/**
 * Finds the span of a tool call: the one that was given, then the one that the span tracker knows by its call id, then
 * the active span if it records and is recognisably this call's. Writes nothing, says nothing, never throws.
 *
 * @returns `undefined` when no span is surely this call's
 * @example
 * ```ts
 * import { findToolSpan, markToolSpan } from "agent-reliability-otel-labels";
 *
 * const span = findToolSpan({ name: "search_flights", callId: "call_1" });
 * markToolSpan(span, { args: {}, result: [], attempt: 1 });
 * ```
 */
export function findToolSpan(options: FindToolSpanOptions): LabelSpan | undefined {
  return locateToolSpan(options).span;
}

/** {@link findToolSpan}, with the reason when there is none. */
export function locateToolSpan(
  options: LocateToolSpanOptions,
  current: Context = context.active(),
): LocatedToolSpan {
  const { name, callId } = options;
  if (options.span !== undefined) {
    const given = givenSpan(options.span, { name, callId, parameters: options.parameters ?? [] });
    if (given !== undefined && given !== null) {
      return isUsable(given)
        ? { span: given }
        : { span: undefined, reason: "not_recording", query: undefined };
    }
  }
  const active = trace.getSpan(current);
  const sources = toolSpanSources();
  const query =
    sources.length === 0 ? undefined : queryFor(name, callId, active, currentRunScope(current)?.traceId);
  if (query !== undefined) {
    for (const source of sources) {
      const tracked = source.find(query);
      if (isUsable(tracked)) return { span: tracked };
    }
  }
  const missing = (reason: NoToolSpanReason) => ({ span: undefined, reason, query });
  if (active === undefined) return missing("no_active_span");
  if (!isUsable(active)) return missing("not_recording");
  if (options.trustActiveSpan === true || isSpanOfCall(active, options)) return { span: active };
  return missing("other_span");
}

function givenSpan(span: NonNullable<ToolDefinition["span"]>, call: ToolCall): MaybeSpan {
  if (typeof span !== "function") return span;
  try {
    return span(call);
  } catch {
    report(
      "span threw",
      call.name,
      () => `the span function of the tool "${call.name}" threw; its span was looked for elsewhere`,
    );
    return undefined;
  }
}

// Where both ids are known they decide, as long as the names agree: models number their calls as they like, so an outer
// tool's span can carry the id that a nested agent's call has too. Otherwise the span has to be a tool's, and the name,
// where it shows one, this tool's.
function isSpanOfCall(span: LabelSpan, { name, callId, nameIsExact }: LocateToolSpanOptions): boolean {
  const recognised = recogniseSpan(factsOf(span));
  if (recognised?.role !== "tool") return false;
  const shown = recognised.toolName;
  if (shown === undefined || shown === name) {
    return callId === undefined || recognised.callId === undefined || recognised.callId === callId;
  }
  const sameCall = callId !== undefined && recognised.callId === callId;
  return sameCall && nameIsExact !== true && isQualified(shown, name);
}

/** Frameworks put a server or a class before a tool's name: "demo__search", "mcp.search". */
export function isQualified(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.endsWith(short) && /[^\p{L}\p{N}]$/u.test(long.slice(0, -short.length));
}

function queryFor(
  name: string,
  callId: string | undefined,
  active: Span | undefined,
  runTraceId: string | undefined,
): ToolSpanQuery {
  const ids = active === undefined ? undefined : idsOf(active);
  const traceIds = [ids?.traceId, runTraceId].filter((id) => id !== undefined);
  return { name, callId, traceIds, activeSpanId: ids?.spanId };
}
