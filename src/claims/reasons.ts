/**
 * What the model is told. A closed set of coarse sentences: the detail would teach it to get past the checks.
 *
 * @module
 */

/** The sentence for each reason. The key is the reason's stable id. */
export const REASONS = {
  claim: "the claim is missing or malformed; call again with a complete claim",
  tool: "the claim does not match the tool",
  arguments: "the claim does not match the arguments",
  route: "the claim does not match the route",
  intent: "the claim is outside the authorized intent",
  evidence: "the evidence of the claim is not current",
  context: "the claim does not match the context",
  review: "the call needs a review",
  denied: "the call was denied",
} as const;

/** The stable id of a coarse reason. */
export type Reason = keyof typeof REASONS;
