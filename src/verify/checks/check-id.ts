/**
 * The ids of the checks, in the order of the report.
 *
 * @module
 */

/** Every check's id, in the order of the report. Stable across releases. */
export const CHECK_IDS = [
  "tool-span-labelled",
  "label-on-tool-span-only",
  "failed-tool-labelled",
  "label-values-valid",
  "run-end-marked",
  "run-identity",
  "step-order",
  "attempt-count",
  "no-content",
  "fingerprint-true",
  "policy-binding-valid",
  "handoff-marked",
] as const;

/** The id of one check. */
export type CheckId = (typeof CHECK_IDS)[number];
