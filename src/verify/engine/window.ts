/**
 * Which traces and runs are remembered, and when one is judged to make room. Spans of a trace arrive near each other,
 * children before parents, with other traces between; so the trace that has been silent longest is judged first.
 *
 * @module
 */

import { RunState } from "./run-state.ts";
import { SeenIds } from "./seen-ids.ts";
import { TraceState } from "./trace-state.ts";

/** Takes what leaves the window. */
export interface WindowHandler {
  /** @param cut true when it left to make room, so that spans may still come */
  sealTrace(trace: TraceState, cut: boolean): void;
  sealRun(run: RunState): void;
}

/** The open traces and runs. */
export class Window {
  readonly #handler: WindowHandler;
  readonly #maxWeight: number;
  // Maps keep the order of insertion: the first entry is the one that has been silent longest. Traces that no
  // check asks about go first; nearly all of a busy service's traces are of that kind.
  readonly #plain = new Map<string, TraceState>();
  readonly #notable = new Map<string, TraceState>();
  readonly #runs = new Map<string, RunState>();
  readonly #idleRuns = new Map<string, RunState>();
  readonly #sealedTraces = new SeenIds();
  readonly #sealedRuns = new SeenIds();
  #weight = 0;
  #plainWeight = 0;
  #idleSize = 0;
  #latest: TraceState | undefined;

  constructor(handler: WindowHandler, maxWeight: number) {
    this.#handler = handler;
    this.#maxWeight = maxWeight;
  }

  /** The open runs by id. */
  get runs(): ReadonlyMap<string, RunState> {
    return this.#runs;
  }

  /** The trace, which becomes the one that spoke last. */
  trace(id: string): TraceState {
    if (this.#latest?.id === id) return this.#latest;
    const open = this.#notable.get(id) ?? this.#plain.get(id);
    const trace = open ?? new TraceState(id, this.#sealedTraces.has(id));
    this.#latest = trace;
    if (open !== undefined) this.#listOf(trace).delete(id);
    this.#listOf(trace).set(id, trace);
    return trace;
  }

  /** The trace has changed: makes room if need be. */
  settle(trace: TraceState, before: { readonly weight: number; readonly notable: boolean }): void {
    const grown = trace.weight - before.weight;
    this.#weight += grown;
    if (!trace.notable) {
      this.#plainWeight += grown;
    } else if (!before.notable) {
      this.#plainWeight -= before.weight;
      this.#plain.delete(trace.id);
      this.#notable.set(trace.id, trace);
    }
    while (this.#weight > this.#maxWeight) this.#sealOldest();
    // Runs wait for more traces, but not more of them than the window is worth.
    while (this.#idleSize > this.#maxWeight / 4) this.#sealIdleRun();
  }

  /** The run has spans in the trace. */
  join(trace: TraceState, runId: string): void {
    let run = this.#runs.get(runId);
    if (run === undefined) {
      run = new RunState(runId, this.#sealedRuns.has(runId));
      this.#runs.set(runId, run);
    }
    if (trace.runs.has(run)) return;
    trace.runs.add(run);
    run.openTraces += 1;
    if (this.#idleRuns.delete(runId)) this.#idleSize -= run.size + 1;
  }

  /** Judges everything that is left. */
  close(): void {
    for (const list of [this.#plain, this.#notable]) {
      for (const trace of list.values()) this.#seal(trace, false);
    }
    for (const run of this.#runs.values()) this.#handler.sealRun(run);
    this.#runs.clear();
    this.#idleRuns.clear();
  }

  #listOf(trace: TraceState): Map<string, TraceState> {
    return trace.notable ? this.#notable : this.#plain;
  }

  #sealOldest(): void {
    const list =
      this.#notable.size === 0 || this.#plainWeight > this.#maxWeight / 4 ? this.#plain : this.#notable;
    const [oldest] = list.values();
    if (oldest === undefined) throw new RangeError("the window is over its limit without a trace");
    this.#sealedTraces.add(oldest.id);
    this.#seal(oldest, true);
  }

  #seal(trace: TraceState, cut: boolean): void {
    this.#listOf(trace).delete(trace.id);
    if (this.#latest === trace) this.#latest = undefined;
    this.#weight -= trace.weight;
    if (!trace.notable) this.#plainWeight -= trace.weight;
    this.#handler.sealTrace(trace, cut);
    for (const run of trace.runs) {
      run.openTraces -= 1;
      if (run.openTraces > 0) continue;
      this.#idleRuns.set(run.id, run);
      this.#idleSize += run.size + 1;
    }
  }

  #sealIdleRun(): void {
    const [run] = this.#idleRuns.values();
    if (run === undefined) throw new RangeError("idle runs are over their limit without a run");
    this.#idleRuns.delete(run.id);
    this.#idleSize -= run.size + 1;
    this.#runs.delete(run.id);
    this.#sealedRuns.add(run.id);
    this.#handler.sealRun(run);
  }
}
