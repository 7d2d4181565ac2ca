/**
 * Reviewing definitions of tools and agents.
 *
 * @module
 */
export {
  type Action,
  type ExaminedSubject,
  type Finding,
  type FindingStatus,
  type Framework,
  isSevere,
  type Review,
  type Scope,
  type Severity,
  type Skipped,
} from "./finding.ts";
export {
  type FormatReviewOptions,
  formatReview,
  REVIEW_FORMATS,
  type ReviewFormat,
} from "./format/format-review.ts";
export { type ReviewOptions, reviewDefinitions } from "./review-definitions.ts";
export { rules as reviewRules } from "./rules/index.ts";
export type { RuleDescription } from "./rules/rule.ts";
export { readTrail } from "./trail/read-trail.ts";
export { recordRepairs } from "./trail/record-repairs.ts";
export { EMPTY_TRAIL, type Trail, type TrailEntry } from "./trail/trail.ts";
export { TrailError, type TrailErrorCode } from "./trail/trail-error.ts";
