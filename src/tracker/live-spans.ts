/**
 * The tool spans that are live now, by tool call id. Bounded: a span that is never ended is forgotten when newer ones
 * need its place.
 *
 * @module
 */
import { type RecognisedSpan, recogniseSpan } from "../attributes/conventions.ts";
import { report } from "../labels/diagnostics.ts";
import { factsOf, idsOf, isUsable, type LabelSpan } from "../labels/span.ts";
import type { ToolSpanQuery } from "../tool/tool-span-source.ts";

/** Live tool spans kept. An application with more concurrent tool calls than this has other problems. */
const MAX_LIVE_SPANS = 10_000;

/** A live tool span, and what was seen of it when it started. */
export interface LiveToolSpan {
  readonly span: LabelSpan;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly toolName: string | undefined;
  readonly callId: string | undefined;
}

/** Reads a span that starts; `undefined` when it is not recognisably a tool's, or does not record. Never throws. */
export function toolSpanOf(span: object): LiveToolSpan | undefined {
  if (!isUsable(span as LabelSpan)) return undefined;
  const recognised = recogniseSpan(factsOf(span));
  const ids = idsOf(span);
  if (recognised?.role !== "tool" || ids === undefined) return undefined;
  return {
    span: span as LabelSpan,
    traceId: ids.traceId,
    spanId: ids.spanId,
    parentSpanId: parentOf(span),
    toolName: recognised.toolName,
    callId: recognised.callId,
  };
}

function parentOf(span: object): string | undefined {
  try {
    const { parentSpanContext, parentSpanId } = span as {
      parentSpanContext?: { spanId?: string };
      parentSpanId?: string;
    };
    return parentSpanContext?.spanId ?? parentSpanId;
  } catch {
    return undefined;
  }
}

/** The live tool spans. No method throws. */
export class LiveSpans {
  /** By span id, oldest first. */
  readonly #live = new Map<string, LiveToolSpan>();
  readonly #byCallId = new Map<string, Set<LiveToolSpan>>();
  /** Those that had no call id when they started: some instrumentations set it later. */
  readonly #unidentified = new Set<LiveToolSpan>();

  get size(): number {
    return this.#live.size;
  }

  add(started: LiveToolSpan): void {
    if (this.#live.size >= MAX_LIVE_SPANS) this.#forgetOldest();
    this.#live.set(started.spanId, started);
    if (started.callId === undefined) this.#unidentified.add(started);
    else groupOf(this.#byCallId, started.callId).add(started);
  }

  remove(spanId: string): void {
    const ended = this.#live.get(spanId);
    if (ended === undefined) return;
    this.#live.delete(spanId);
    this.#unidentified.delete(ended);
    if (ended.callId === undefined) return;
    const group = this.#byCallId.get(ended.callId);
    group?.delete(ended);
    if (group?.size === 0) this.#byCallId.delete(ended.callId);
  }

  clear(): void {
    this.#live.clear();
    this.#byCallId.clear();
    this.#unidentified.clear();
  }

  /** The span with this id, if it is a live tool span. */
  bySpanId(spanId: string): LabelSpan | undefined {
    return this.#live.get(spanId)?.span;
  }

  /** The one live span that a call can mean, or `undefined`. */
  byCall(query: ToolSpanQuery): LabelSpan | undefined {
    const { callId } = query;
    if (callId === undefined) return undefined;
    const candidates = [...(this.#byCallId.get(callId) ?? []), ...this.#lateIdentified(callId)];
    return chooseSpan(candidates, query)?.span;
  }

  #lateIdentified(callId: string): LiveToolSpan[] {
    const late: LiveToolSpan[] = [];
    for (const live of this.#unidentified) {
      const now: RecognisedSpan | undefined = recogniseSpan(factsOf(live.span));
      if (now?.callId === callId) late.push(live);
    }
    return late;
  }

  #forgetOldest(): void {
    const [oldest] = this.#live.keys();
    if (oldest !== undefined) this.remove(oldest);
    report(
      "live spans overflow",
      "",
      () => `more than ${MAX_LIVE_SPANS} tool spans are live: the oldest are forgotten; do they ever end?`,
    );
  }
}

/**
 * Models number their calls as they like: the same id is live twice when two runs overlap, when one answer repeats an id,
 * or when the spans of one call nest. A span is taken only when the choice is certain.
 */
export function chooseSpan(
  candidates: readonly LiveToolSpan[],
  query: ToolSpanQuery,
): LiveToolSpan | undefined {
  const fitting = candidates.filter(
    (candidate) =>
      (candidate.toolName === undefined || candidate.toolName === query.name) &&
      (query.traceIds.length === 0 || query.traceIds.includes(candidate.traceId)),
  );
  if (fitting.length <= 1) return fitting[0];
  // Where the spans of one call nest, the outermost is the framework's.
  const outermost = fitting.filter(
    (candidate) => !fitting.some((other) => other.spanId === candidate.parentSpanId),
  );
  if (outermost.length === 1) return outermost[0];
  return fitting.find((candidate) => candidate.spanId === query.activeSpanId);
}

function groupOf<Value>(groups: Map<string, Set<Value>>, key: string): Set<Value> {
  let group = groups.get(key);
  if (group === undefined) {
    group = new Set();
    groups.set(key, group);
  }
  return group;
}
