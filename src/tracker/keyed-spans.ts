/**
 * Tool spans by a key of the framework's own, for frameworks that know which call runs but put no call id on its span.
 *
 * Such a span has only its name when it starts: the instrumentation sets the rest right after. So what starts is a
 * proposal, and counts once it is recognisably a tool's; a span of the application that has the tool's name never does.
 *
 * @module
 */
import { recogniseSpan } from "../attributes/conventions.ts";
import { factsOf, idsOf, isUsable, type LabelSpan } from "../labels/span.ts";

/** Spans, and waiting calls, kept at one time. */
const MAX_KEPT = 10_000;

/** Live tool spans by key. No method throws, as long as no `onSpan` does. */
export class KeyedSpans {
  readonly #spans = new Map<string, LabelSpan>();
  readonly #keys = new Map<string, string>();
  readonly #waiting = new Map<string, Set<(span: LabelSpan) => void>>();

  get size(): { readonly live: number; readonly waiting: number } {
    return { live: this.#spans.size, waiting: this.#waiting.size };
  }

  /** A span that starts and that may be the one with this key. The first that is a tool's stays. */
  propose(key: string, span: LabelSpan): void {
    if (this.find(key) !== undefined) return;
    const spanId = idsOf(span)?.spanId;
    if (spanId === undefined) return;
    put(this.#spans, key, span);
    put(this.#keys, spanId, key);
    queueMicrotask(() => this.#offer(key));
  }

  /** The live tool span with this key. */
  find(key: string): LabelSpan | undefined {
    const span = this.#spans.get(key);
    const isTool = isUsable(span) && recogniseSpan(factsOf(span))?.role === "tool";
    return isTool ? span : undefined;
  }

  /** Calls `onSpan` once when the span with this key starts later; the returned function ends the waiting. */
  wait(key: string, onSpan: (span: LabelSpan) => void): () => void {
    const group = this.#waiting.get(key) ?? new Set();
    put(this.#waiting, key, group.add(onSpan));
    return () => {
      group.delete(onSpan);
      if (group.size === 0 && this.#waiting.get(key) === group) this.#waiting.delete(key);
    };
  }

  /** Forgets a span that has ended. */
  remove(span: object): void {
    const spanId = idsOf(span)?.spanId ?? "";
    const key = this.#keys.get(spanId);
    this.#keys.delete(spanId);
    if (key === undefined || idsOf(this.#spans.get(key) ?? {})?.spanId !== spanId) return;
    this.#spans.delete(key);
    this.#waiting.delete(key);
  }

  clear(): void {
    this.#spans.clear();
    this.#keys.clear();
    this.#waiting.clear();
  }

  #offer(key: string): void {
    const span = this.find(key);
    const waiting = this.#waiting.get(key);
    if (span === undefined || waiting === undefined) return;
    this.#waiting.delete(key);
    for (const onSpan of waiting) onSpan(span);
  }
}

function put<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.set(key, value);
  if (kept.size <= MAX_KEPT) return;
  const [oldest] = kept.keys();
  if (oldest !== undefined) kept.delete(oldest);
}
