/**
 * What a condition says about the rows of one run, or of one trace without a run.
 *
 * @module
 */
import type { Candidate } from "./where.ts";

/** One time that a condition holds. */
export interface Hit extends Candidate {
  /** How many calls, values or spans it is about. */
  readonly count: number;
  /** Evidence of the whole group, where the span's own values do not tell. */
  readonly evidence?: Readonly<Record<string, string | number>>;
}

/** What a condition says. */
export interface Judged {
  /** Subjects that it looked at. */
  readonly examined: number;
  readonly hits: readonly Hit[];
  /** Subjects about which it cannot tell, since labels or events were dropped. */
  readonly unknown: number;
}
