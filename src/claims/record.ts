/**
 * The audit trail's record of a decision: what was compared and how it came out. Digests instead of content, and only
 * those that the server has made: a digest in a claim is a text of the model's.
 *
 * @module
 */
import type { CheckId, Profile } from "./checks.ts";
import type { SCHEMA_VERSION } from "./claim.ts";
import { type Digest, digestIfAny } from "./digest.ts";
import type { Facts } from "./facts.ts";
import type { Outcome } from "./outcome.ts";
import type { ClaimReading } from "./read-claim.ts";
import type { Reason } from "./reasons.ts";

/** How one check came out. */
export interface CheckResult {
  /** `fault`: the decision itself failed, which denies. */
  readonly id: CheckId | "fault";
  /** What this check alone asks for. `allow` also where there was nothing for it to compare. */
  readonly outcome: Outcome;
}

/** One decision, for the audit trail. Holds no argument, no text of the claim and no untrusted content. */
export interface DecisionRecord {
  /** The form of claims that the decision was made by. */
  readonly schemaVersion: typeof SCHEMA_VERSION;
  /** `trustabl` for everything that ships; `paper` only from the conformance suite. */
  readonly profile: Profile;
  /** The most restrictive outcome of all checks and of `baseline`. An approval does not change it. */
  readonly outcome: Outcome;
  /** What existing authorization had said before. */
  readonly baseline: Outcome;
  /** Every check that was made, the ones that allowed included. */
  readonly checks: readonly CheckResult[];
  /** The categories of all that did not allow, each once. */
  readonly reasons: readonly Reason[];
  readonly digests: {
    /** Of the claim without its summary, which no check reads. */
    readonly claim: Digest | undefined;
    /** Of the arguments without the claim. */
    readonly payload: Digest | undefined;
    /** Of the intent that the facts gave; `undefined` where they gave none. */
    readonly intent: Digest | undefined;
    /** Of the policy that the facts gave; `undefined` where they gave none. */
    readonly policy: Digest | undefined;
    /** Of the untrusted inputs that the run had used. */
    readonly untrusted: readonly string[];
  };
}

/** The digests of a decision. */
export function digestsOf(
  { claim }: ClaimReading,
  payload: Digest | undefined,
  { intent, policy, context }: Facts,
): DecisionRecord["digests"] {
  return {
    claim: claim === undefined ? undefined : digestIfAny({ ...claim, summary: null }),
    payload,
    intent: intent?.digest,
    policy: policy?.digest,
    untrusted: context?.used.map(({ digest }) => digest) ?? [],
  };
}
