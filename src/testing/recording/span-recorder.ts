/**
 * The span processor that keeps what it sees. It needs no exporter: an exporter would see finished spans only, and
 * a span that never ends is one of the things to find.
 *
 * @module
 */
import { failLabelWrites } from "../faults/fail-label-writes.ts";
import { TestingError } from "../testing-error.ts";
import type { RecordedSpan, SpanProcessorLike } from "./span-types.ts";

/** Spans kept. A test with more than this forgot to call `clear()`. */
const MAX_SPANS = 100_000;

// Taken when the module is loaded: tests put fake timers in their place later.
const startTimer = setTimeout;
const stopTimer = clearTimeout;

/** Keeps spans in memory. Its methods never throw into the instrumentation. */
export class SpanRecorder implements SpanProcessorLike {
  readonly #live = new Map<string, RecordedSpan>();
  #finished: RecordedSpan[] = [];
  #tooMany = false;
  #open = true;
  #onFault: (() => void) | undefined;
  readonly #onEnd = new Set<() => void>();

  onStart(span: RecordedSpan, _parentContext?: unknown): void {
    const id = this.#open ? idOf(span) : undefined;
    if (id === undefined) return;
    if (this.#live.size + this.#finished.length >= MAX_SPANS) {
      this.#tooMany = true;
      return;
    }
    this.#live.set(id, span);
    if (this.#onFault !== undefined) failLabelWrites(span, this.#onFault);
  }

  // A span whose start was not seen is not this recording's: it started before it, or before the last `clear()`. That
  // it is taken off the list at once also makes a recorder that was added twice record once.
  onEnd(span: RecordedSpan): void {
    const id = idOf(span);
    if (id === undefined || !this.#live.delete(id)) return;
    this.#finished.push(span);
    for (const told of this.#onEnd) told();
  }

  async forceFlush(): Promise<void> {}

  async shutdown(): Promise<void> {}

  /**
   * Spans that have ended, in the order in which they ended.
   *
   * @throws TestingError `too_many_spans`
   */
  finished(): RecordedSpan[] {
    if (this.#tooMany) {
      throw new TestingError(
        "too_many_spans",
        `It keeps ${MAX_SPANS}; call clear() between the parts of a long test.`,
      );
    }
    return [...this.#finished];
  }

  /** Spans that have started and not ended, in the order in which they started. */
  live(): RecordedSpan[] {
    return [...this.#live.values()];
  }

  /** Waits until no live span passes the test, at most so many milliseconds. */
  async settled(matters: (span: RecordedSpan) => boolean, milliseconds: number): Promise<void> {
    if (!this.live().some(matters)) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#onEnd.delete(check);
        stopTimer(timer);
        resolve();
      };
      const check = () => {
        if (!this.live().some(matters)) done();
      };
      const timer = startTimer(done, milliseconds);
      this.#onEnd.add(check);
    });
  }

  /** From now on, spans that start fail every write of a label; `undefined` ends it for spans that start later. */
  set onFault(onFault: (() => void) | undefined) {
    this.#onFault = onFault;
  }

  /** Forgets everything. Spans that are live now are not recorded when they end. */
  clear(): void {
    this.#live.clear();
    this.#finished = [];
    this.#tooMany = false;
  }

  /** Records nothing more. What was recorded stays. */
  stop(): void {
    this.#open = false;
  }
}

function idOf(span: RecordedSpan): string | undefined {
  try {
    const { traceId, spanId } = span.spanContext();
    return `${traceId}/${spanId}`;
  } catch {
    return undefined;
  }
}
