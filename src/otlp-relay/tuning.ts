/**
 * The relay's own numbers. They are no options: what users have to decide is in `options.ts`. Tests choose others, so
 * that no test has to wait for a real minute.
 *
 * @module
 */

import type { BackoffSettings } from "./forward/pause.ts";
import type { ConnectionSettings } from "./forward/post.ts";

/** Numbers that tests choose. */
export interface RelayTuning extends BackoffSettings, Pick<ConnectionSettings, "attemptMilliseconds" | "ca"> {
  /** Exports that are sent to one endpoint at the same time. */
  readonly atOnce: number;
  /** Spans that may wait for labels at the same time; the next ones have to be decided at once. */
  readonly maxWaitingSpans: number;
  readonly maxConnections: number;
  readonly maxBodyBytes: number;
  readonly flushMilliseconds: number;
  readonly closeMilliseconds: number;
}

/** As users have it. */
export const DEFAULT_TUNING: RelayTuning = {
  firstMilliseconds: 1_000,
  longestMilliseconds: 15_000,
  attemptMilliseconds: 30_000,
  ca: undefined,
  atOnce: 4,
  maxWaitingSpans: 10_000,
  maxConnections: 100,
  maxBodyBytes: 16 * 1024 * 1024,
  flushMilliseconds: 30_000,
  closeMilliseconds: 5_000,
};
