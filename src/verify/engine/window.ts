/**
 * Which traces are remembered, and which is judged when there is no more room. Spans of a trace arrive near each other,
 * children before parents, with other traces between; so the trace that has been silent longest is judged first.
 *
 * @module
 */
import { SeenIds } from "./seen-ids.ts";
import { TraceState } from "./trace-state.ts";

/**
 * - `plain`: no check asks about any of its spans; nearly all of a busy service's traces are of that kind
 * - `settled`: its first span is there, and no span's parent is missing
 * - `open`: spans are missing that may still come
 *
 * Plain and settled traces get a quarter of the window each, so that open ones can wait longer.
 */
type ShelfName = "plain" | "settled" | "open";

/** Traces of one kind. Nothing changes a trace while it stands here. */
class Shelf {
  // A map keeps the order of insertion: the first entry is the one that has been silent longest.
  readonly #traces = new Map<string, TraceState>();
  weight = 0;

  put(trace: TraceState): void {
    this.#traces.set(trace.id, trace);
    this.weight += trace.weight;
  }

  take(id: string): TraceState | undefined {
    const trace = this.#traces.get(id);
    if (trace === undefined) return undefined;
    this.#traces.delete(id);
    this.weight -= trace.weight;
    return trace;
  }

  takeOldest(): TraceState | undefined {
    const [id] = this.#traces.keys();
    return id === undefined ? undefined : this.take(id);
  }
}

/** The open traces. */
export class Window {
  readonly #seal: (trace: TraceState, cut: boolean) => void;
  readonly #maxWeight: number;
  readonly #shelves: Readonly<Record<ShelfName, Shelf>> = {
    plain: new Shelf(),
    settled: new Shelf(),
    open: new Shelf(),
  };
  readonly #sealed = new SeenIds();
  #latest: TraceState | undefined;

  /**
   * @param seal judges a trace; `cut` is true when it leaves to make room, so that spans of it may still come
   * @param maxWeight see {@link TraceState.weight}
   */
  constructor(seal: (trace: TraceState, cut: boolean) => void, maxWeight: number) {
    this.#seal = seal;
    this.#maxWeight = maxWeight;
  }

  /** The trace, taken off its shelf to be changed; the next call puts it back. */
  take(id: string): TraceState {
    // Most spans come right after another one of their trace.
    if (this.#latest?.id === id) return this.#latest;
    this.#putBack();
    const { plain, settled, open } = this.#shelves;
    const known = open.take(id) ?? settled.take(id) ?? plain.take(id);
    const trace = known ?? new TraceState(id, this.#sealed.has(id));
    this.#latest = trace;
    return trace;
  }

  /** Makes room, if need be: for the trace that was taken last, too. */
  makeRoom(): void {
    const { plain, settled, open } = this.#shelves;
    while (plain.weight > this.#maxWeight / 4) this.#cut(plain.takeOldest());
    while (settled.weight > this.#maxWeight / 4) this.#cut(settled.takeOldest());
    while (plain.weight + settled.weight + open.weight + (this.#latest?.weight ?? 0) > this.#maxWeight) {
      this.#cut(open.takeOldest() ?? settled.takeOldest() ?? plain.takeOldest() ?? this.#takeLatest());
    }
  }

  /** Judges all that are left. */
  close(): void {
    this.#putBack();
    for (const shelf of Object.values(this.#shelves)) {
      for (let trace = shelf.takeOldest(); trace !== undefined; trace = shelf.takeOldest()) {
        this.#seal(trace, false);
      }
    }
  }

  #cut(trace: TraceState | undefined): void {
    if (trace === undefined) throw new RangeError("the window is over its limit without a trace");
    this.#sealed.add(trace.id);
    this.#seal(trace, true);
  }

  #putBack(): void {
    const trace = this.#takeLatest();
    if (trace !== undefined) this.#shelves[shelfOf(trace)].put(trace);
  }

  #takeLatest(): TraceState | undefined {
    const trace = this.#latest;
    this.#latest = undefined;
    return trace;
  }
}

const shelfOf = (trace: TraceState): ShelfName =>
  trace.notable ? (trace.isSettled ? "settled" : "open") : "plain";
