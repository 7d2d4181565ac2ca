/**
 * The spans that are not judged yet: each goes to its trace and its run, and of two copies one is kept. The checks and the
 * rules of the findings both judge what leaves here.
 *
 * @module
 */
import type { InputProblem } from "../report.ts";
import type { SpanView } from "../span-view.ts";
import type { RunState } from "./run-state.ts";
import { RunWindow } from "./run-window.ts";
import { runIdOf } from "./sealed-trace.ts";
import { isNotable, type SpanRecord } from "./span-record.ts";
import type { TraceState } from "./trace-state.ts";
import { Window } from "./window.ts";

/** What is done with spans, and with the traces and runs that they make. */
export interface SpanHandling {
  /** What is to be remembered of the span. Its captured content goes into the trace's pool. May throw. */
  readonly examine: (view: SpanView, trace: TraceState) => SpanRecord;
  /** Of two copies of one span, whether the new one is to be kept. */
  readonly isBetter: (copy: SpanRecord, known: SpanRecord) => boolean;
  /** @param cut true when the trace leaves to make room, so that spans of it may still come */
  readonly sealTrace: (trace: TraceState, cut: boolean) => void;
  readonly sealRun: (run: RunState) => void;
}

/** A span that was taken in. */
export interface TakenSpan {
  readonly trace: TraceState;
  readonly record: SpanRecord;
  /** A copy of it was there already. */
  readonly isCopy: boolean;
  /** False for a copy that was not the better one. */
  readonly isKept: boolean;
}

/** What is reported of a span that {@link OpenSpans.take} could not look at. */
export const UNREADABLE_SPAN: InputProblem = {
  code: "unreadable-span",
  level: "error",
  message: "a span cannot be read: looking at it throws",
};

// Of one run a part of the window is kept, and enough for any honest run.
const RUN_SHARE = 4;
const RUN_AT_LEAST = 1_000;

/** The spans that are not judged yet. */
export class OpenSpans {
  /** The runs that are not judged yet. */
  readonly runs: RunWindow;
  /** How many members of one run may be kept. */
  readonly maxRun: number;
  readonly #handling: SpanHandling;
  readonly #window: Window;

  /** @param maxOpenSpans how much is remembered; see `VerifyOptions` */
  constructor(handling: SpanHandling, maxOpenSpans: number) {
    this.#handling = handling;
    this.maxRun = Math.max(RUN_AT_LEAST, Math.ceil(maxOpenSpans / RUN_SHARE));
    this.runs = new RunWindow(handling.sealRun, maxOpenSpans / RUN_SHARE);
    this.#window = new Window((trace, cut) => {
      handling.sealTrace(trace, cut);
      this.runs.leave(trace);
    }, maxOpenSpans);
  }

  /** Takes a span in; `undefined` for one that cannot be looked at. */
  take(view: SpanView): TakenSpan | undefined {
    const trace = this.#window.take(view.traceId);
    const record = this.#examine(view, trace);
    if (record === undefined) return undefined;
    const known = trace.records.get(record.id);
    const isKept = known === undefined || this.#handling.isBetter(record, known);
    if (isKept) {
      trace.put(record);
      const runId = isNotable(record) ? runIdOf(record) : undefined;
      if (runId !== undefined) this.runs.join(trace, runId);
    }
    this.#window.makeRoom();
    return { trace, record, isCopy: known !== undefined, isKept };
  }

  /** Judges all that are left. */
  close(): void {
    this.#window.close();
    this.runs.close();
  }

  // Values of attributes are other people's objects, which may throw when they are looked at.
  #examine(view: SpanView, trace: TraceState): SpanRecord | undefined {
    try {
      return this.#handling.examine(view, trace);
    } catch {
      return undefined;
    }
  }
}
