/**
 * The three outcomes of a decision, and how outcomes combine.
 *
 * @module
 */
import { RISKS, type Risk } from "../contracts/contract.ts";

/** The outcomes, from the least to the most restrictive. Only `allow` runs a tool. */
export const OUTCOMES = ["allow", "review", "deny"] as const;

/** What becomes of a call: it runs, it waits for a person, or the model gets an error. */
export type Outcome = (typeof OUTCOMES)[number];

/** The more restrictive of two outcomes: deny beats review, review beats allow. */
export function mostRestrictive(left: Outcome, right: Outcome): Outcome {
  return OUTCOMES.indexOf(left) >= OUTCOMES.indexOf(right) ? left : right;
}

/** True when a level of risk, or of uncertainty, is higher than `other`. */
export function isAbove(level: Risk, other: Risk): boolean {
  return RISKS.indexOf(level) > RISKS.indexOf(other);
}

/** True for one of the three outcomes. */
export function isOutcome(value: unknown): value is Outcome {
  return OUTCOMES.includes(value as Outcome);
}
