/**
 * Calls that began before their span did: each waits for a span with its call id until the call ends.
 *
 * @module
 */
import { report } from "../labels/diagnostics.ts";
import type { LabelSpan } from "../labels/span.ts";
import type { ToolSpanQuery } from "../tool/tool-span-source.ts";
import { chooseSpan, type LiveToolSpan } from "./live-spans.ts";

/** Calls that may wait at one time. */
const MAX_WAITING = 10_000;

interface WaitingCall {
  readonly query: ToolSpanQuery;
  readonly onSpan: (span: LabelSpan) => void;
}

/** The waiting calls, first come first served. No method throws, as long as no `onSpan` does. */
export class WaitingCalls {
  readonly #waiting = new Map<string, Set<WaitingCall>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @returns ends the waiting; `undefined` when this call cannot wait */
  add(query: ToolSpanQuery, onSpan: (span: LabelSpan) => void): (() => void) | undefined {
    const { callId } = query;
    if (callId === undefined) return undefined;
    if (this.#size >= MAX_WAITING) {
      report(
        "waiting overflow",
        "",
        () => `more than ${MAX_WAITING} tool calls wait for their span: no more can wait`,
      );
      return undefined;
    }
    const call: WaitingCall = { query, onSpan };
    const group = this.#waiting.get(callId) ?? new Set();
    this.#waiting.set(callId, group.add(call));
    this.#size += 1;
    return () => this.#remove(callId, call);
  }

  /** Gives a span that has started to the first call that waits for it. */
  offer(started: LiveToolSpan): void {
    if (started.callId === undefined) return;
    for (const call of this.#waiting.get(started.callId) ?? []) {
      if (chooseSpan([started], call.query) === undefined) continue;
      this.#remove(started.callId, call);
      call.onSpan(started.span);
      return;
    }
  }

  clear(): void {
    this.#waiting.clear();
    this.#size = 0;
  }

  #remove(callId: string, call: WaitingCall): void {
    const group = this.#waiting.get(callId);
    if (group?.delete(call) !== true) return;
    this.#size -= 1;
    if (group.size === 0) this.#waiting.delete(callId);
  }
}
