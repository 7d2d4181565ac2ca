/**
 * The runs that are remembered. A run is idle when none of its traces is open; it still waits, since a granted approval
 * goes on in another trace, until too many others are waiting too.
 *
 * @module
 */
import { RunState } from "./run-state.ts";
import { SeenIds } from "./seen-ids.ts";
import type { TraceState } from "./trace-state.ts";

/** The open and the idle runs. */
export class RunWindow {
  readonly #seal: (run: RunState) => void;
  readonly #maxIdle: number;
  readonly #runs = new Map<string, RunState>();
  // In the order in which they became idle.
  readonly #idle = new Map<string, RunState>();
  readonly #sealed = new SeenIds();
  #idleSize = 0;

  /** @param maxIdle calls and roots of idle runs that are remembered */
  constructor(seal: (run: RunState) => void, maxIdle: number) {
    this.#seal = seal;
    this.#maxIdle = maxIdle;
  }

  get(id: string): RunState | undefined {
    return this.#runs.get(id);
  }

  /** The run has spans in the trace. */
  join(trace: TraceState, id: string): void {
    let run = this.#runs.get(id);
    if (run === undefined) {
      run = new RunState(id, this.#sealed.has(id));
      this.#runs.set(id, run);
    }
    if (trace.runs.includes(run)) return;
    trace.runs.push(run);
    run.openTraces += 1;
    if (this.#idle.delete(id)) this.#idleSize -= run.size + 1;
  }

  /** The trace has been judged. */
  leave(trace: TraceState): void {
    for (const run of trace.runs) {
      run.openTraces -= 1;
      if (run.openTraces > 0) continue;
      this.#idle.set(run.id, run);
      this.#idleSize += run.size + 1;
    }
    for (const run of this.#idle.values()) {
      if (this.#idleSize <= this.#maxIdle) break;
      this.#idle.delete(run.id);
      this.#idleSize -= run.size + 1;
      this.#runs.delete(run.id);
      this.#sealed.add(run.id);
      this.#seal(run);
    }
  }

  /** Judges all that are left. */
  close(): void {
    for (const run of this.#runs.values()) this.#seal(run);
    this.#runs.clear();
    this.#idle.clear();
  }
}
