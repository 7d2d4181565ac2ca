/**
 * A run whose spans have all arrived, or as many as will: what the checks of a run read.
 *
 * @module
 */
import type { Subject } from "../checks/check.ts";
import type { RunCall, RunRoot, RunState, UnlabelledRoot } from "./run-state.ts";
import { byStart, type SpanAnchor } from "./span-record.ts";

/** A run, ready to be judged. */
export class SealedRun {
  readonly id: string;
  /** By start time. */
  readonly calls: readonly RunCall[];
  /** By start time. */
  readonly roots: readonly RunRoot[];
  readonly unlabelledRoot: UnlabelledRoot | undefined;
  /** False when spans came too late, or were too many, so that nothing may be made of their absence. */
  readonly isCertain: boolean;
  /** How far the clocks of two spans may differ, in milliseconds. */
  readonly skew: number;

  constructor(state: RunState, skew: number) {
    this.id = state.id;
    this.calls = [...state.calls].sort((a, b) => byStart(a.span, b.span));
    this.roots = [...state.roots].sort((a, b) => byStart(a.span, b.span));
    this.unlabelledRoot = state.unlabelledRoot;
    this.isCertain = !state.late && !state.overflow;
    this.skew = skew;
  }

  /** A span of the run, for a judgement. */
  subject(span: SpanAnchor | undefined): Subject {
    return { span, runId: this.id };
  }

  /** True when step indices are missing between 0 and the highest: calls are not in the export. */
  get hasGaps(): boolean {
    const steps = new Set<number>();
    let highest = -1;
    for (const { step } of this.calls) {
      if (step === undefined) continue;
      steps.add(step);
      highest = Math.max(highest, step);
    }
    return highest !== steps.size - 1;
  }
}
