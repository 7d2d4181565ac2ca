/**
 * A run while its traces arrive. Runs and traces are not the same: an approval that is granted later goes on in a second
 * trace, and some instrumentations give every span a trace of its own.
 *
 * @module
 */
import type { SpanAnchor } from "./span-record.ts";

/** One labelled call of a run. */
export interface RunCall {
  readonly span: SpanAnchor;
  /** `undefined` when the label is missing or has the wrong form. */
  readonly step: number | undefined;
  readonly attempt: number | undefined;
  readonly inputFp: string | undefined;
  readonly toolName: string | undefined;
  /** Milliseconds; missing where the labels stand on a span that is no call, whose times say nothing. */
  readonly start: number | undefined;
  readonly end: number | undefined;
  /** Carries a fingerprint or an attempt. */
  readonly labelled: boolean;
  readonly droppedAttributes: boolean;
  /** The labelled span above it, which carries another run id, where the instrumentation can link to the wrong parent. */
  readonly stray: { readonly owner: SpanAnchor; readonly runId: string } | undefined;
}

/** A span that carries the run id and stands above the run's calls. */
export interface RunRoot {
  readonly span: SpanAnchor;
  readonly end: number | undefined;
  /** Trace and outermost agent: roots below one agent are parts of one job. */
  readonly group: string;
  /** False when spans above it are missing, so that the group may be wrong. */
  readonly isCertain: boolean;
}

/** An agent above the run's calls that carries no run id. */
export interface UnlabelledRoot {
  readonly span: SpanAnchor;
  readonly droppedAttributes: boolean;
}

/** What is kept of a run. */
export class RunState {
  readonly id: string;
  /** Spans came after the run had been judged. */
  readonly late: boolean;
  readonly calls: RunCall[] = [];
  readonly roots: RunRoot[] = [];
  unlabelledRoot: UnlabelledRoot | undefined;
  /** Traces with spans of this run that are still open. */
  openTraces = 0;
  /** Calls or roots were left out, since there were too many. */
  overflow = false;

  constructor(id: string, late: boolean) {
    this.id = id;
    this.late = late;
  }

  get size(): number {
    return this.calls.length + this.roots.length;
  }
}
