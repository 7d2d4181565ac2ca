/**
 * What is kept of a call between its hook and its end, by call id.
 *
 * @module
 */

const MAX_CALLS = 10_000;

/** Bounded: what nobody comes back for, because another control refused the call, is forgotten in the end. */
export class RecentCalls<Kept> {
  readonly #calls = new Map<string, Kept>();

  /** A call without an id is not kept. */
  keep(callId: string | undefined, kept: Kept): void {
    if (callId === undefined) return;
    this.#calls.delete(callId);
    this.#calls.set(callId, kept);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > MAX_CALLS && oldest !== undefined) this.#calls.delete(oldest);
  }

  /** Gives what was kept, and forgets it. */
  take(callId: string | undefined): Kept | undefined {
    if (callId === undefined) return undefined;
    const kept = this.#calls.get(callId);
    this.#calls.delete(callId);
    return kept;
  }
}
