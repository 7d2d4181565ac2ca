/**
 * A review as text: for people, for programs, for code hosts.
 *
 * @module
 */
import type { Review } from "../finding.ts";
import { formatJson } from "./json.ts";
import { formatSarif } from "./sarif.ts";
import { formatText } from "./text.ts";

/** The renderings. */
export const REVIEW_FORMATS = ["text", "json", "sarif"] as const;

/**
 * - `text`: for people
 * - `json`: one JSON document
 * - `sarif`: SARIF 2.1.0, for code hosts and editors
 */
export type ReviewFormat = (typeof REVIEW_FORMATS)[number];

/** Options of {@link formatReview}. */
export interface FormatReviewOptions {
  /** Default `text`. */
  readonly format?: ReviewFormat | undefined;
  /** Colours in the text, as terminal escapes. Default false. */
  readonly color?: boolean | undefined;
}

/**
 * The review as text, with a line end after the last line.
 *
 * @example
 * ```ts
 * import { formatReview, reviewDefinitions } from "agent-reliability-otel-labels/contracts";
 *
 * console.log(formatReview(reviewDefinitions([]), { format: "sarif" }));
 * ```
 */
export function formatReview(review: Review, options: FormatReviewOptions = {}): string {
  switch (options.format ?? "text") {
    case "text":
      return formatText(review, options.color === true);
    case "json":
      return formatJson(review);
    case "sarif":
      return formatSarif(review);
  }
}
