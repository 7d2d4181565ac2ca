/**
 * Asking for labels, and waiting for those that are not decided yet.
 *
 * An export waits as a whole. Sending its decided spans ahead would need a second export that nobody made, with its own
 * way to fail.
 *
 * @module
 */
import { report } from "../labels/diagnostics.ts";
import { type Additions, additionsOf } from "./export/additions.ts";
import type { FoundSpan, RelayedExport } from "./export/relayed-export.ts";
import type { OtlpRelayOptions } from "./options.ts";

/** What was decided for the spans of one export. */
export type Decided = ReadonlyMap<FoundSpan, Additions>;

/** An export that waits. */
interface Undecided {
  readonly waiting: Set<FoundSpan>;
  readonly decided: Map<FoundSpan, Additions>;
  readonly resolve: (decided: Decided) => void;
  readonly timer: NodeJS.Timeout;
}

/** Decides the labels of exports. */
export class LabelDecisions {
  readonly #labelsOf: OtlpRelayOptions["labelsOf"];
  readonly #holdMilliseconds: number;
  readonly #maxWaitingSpans: number;
  readonly #undecided = new Set<Undecided>();
  #waitingSpans = 0;
  #lookAgain: NodeJS.Immediate | undefined;

  constructor(labelsOf: OtlpRelayOptions["labelsOf"], holdMilliseconds: number, maxWaitingSpans: number) {
    this.#labelsOf = labelsOf;
    this.#holdMilliseconds = holdMilliseconds;
    this.#maxWaitingSpans = maxWaitingSpans;
  }

  /** Asks for every span. Resolves when none waits any more; never rejects. */
  decide({ spans }: RelayedExport): Promise<Decided> {
    const decided = new Map<FoundSpan, Additions>();
    const waiting = new Set<FoundSpan>();
    for (const found of spans) {
      const full = this.#waitingSpans + waiting.size >= this.#maxWaitingSpans;
      if (full) {
        report("relay-waiting", "", () => "too many spans wait for labels: the next ones do not wait");
      }
      if (this.#ask(found, full || this.#holdMilliseconds === 0, decided)) waiting.add(found);
    }
    if (waiting.size === 0) return Promise.resolve(decided);
    return new Promise((resolve) => {
      const undecided: Undecided = {
        waiting,
        decided,
        resolve,
        timer: setTimeout(() => this.#askAgain(undecided, true), this.#holdMilliseconds),
      };
      this.#waitingSpans += waiting.size;
      this.#undecided.add(undecided);
    });
  }

  /** Asks again, soon: once for all that is told within one turn of the event loop, and never inside `labelsOf`. */
  settled(): void {
    this.#lookAgain ??= setImmediate(() => {
      this.#lookAgain = undefined;
      for (const undecided of [...this.#undecided]) this.#askAgain(undecided, false);
    });
  }

  /** Asks a last time, now. */
  finish(): void {
    for (const undecided of [...this.#undecided]) this.#askAgain(undecided, true);
  }

  #askAgain(undecided: Undecided, last: boolean): void {
    const { waiting, decided, resolve, timer } = undecided;
    for (const found of waiting) {
      if (this.#ask(found, last, decided)) continue;
      waiting.delete(found);
      this.#waitingSpans -= 1;
    }
    if (waiting.size > 0) return;
    clearTimeout(timer);
    this.#undecided.delete(undecided);
    resolve(decided);
  }

  /** Returns true when the span has to wait. */
  #ask(found: FoundSpan, last: boolean, decided: Map<FoundSpan, Additions>): boolean {
    const labels = this.#labelsFor(found, last);
    if (labels === "wait") return !last;
    const additions = labels && additionsOf(labels, found.present);
    if (additions !== undefined) decided.set(found, additions);
    return false;
  }

  #labelsFor({ span }: FoundSpan, last: boolean): ReturnType<OtlpRelayOptions["labelsOf"]> {
    try {
      return this.#labelsOf(span, last);
    } catch {
      report("relay-throw", "", () => "labelsOf threw: the span is forwarded without labels");
      return undefined;
    }
  }
}
