/**
 * The decision: a pure function of the claim, the call and the facts. No input, no output, no clock; never throws.
 *
 * @module
 */
import { CLAIMS, type ContractEffect, RISKS } from "../contracts/contract.ts";
import {
  CHECKS,
  type Check,
  type CheckId,
  type CheckScope,
  type Ground,
  type Profile,
  type ToolFact,
} from "./checks.ts";
import { type ClaimVocabulary, SCHEMA_VERSION } from "./claim.ts";
import { digestIfAny } from "./digest.ts";
import { effectOf } from "./effect.ts";
import { type Facts, readFacts } from "./facts.ts";
import { isOutcome, mostRestrictive, type Outcome } from "./outcome.ts";
import { readClaim } from "./read-claim.ts";
import type { Reason } from "./reasons.ts";
import { type CheckResult, type DecisionRecord, digestsOf } from "./record.ts";

/** What the decision needs of a contract. */
export interface DecidingContract extends ToolFact {
  readonly effect?: ContractEffect | undefined;
}

/** What is decided on. */
export interface DecideInput {
  /** What the model put into the argument `claim`; `undefined` when it gave none. */
  readonly claim: unknown;
  readonly call: {
    /** The name of the tool that is called. */
    readonly tool: string;
    /** The arguments, without the claim. */
    readonly arguments: unknown;
  };
  /** What the server knows of this call; `{}` where nothing could be resolved, which asks for a review. */
  readonly facts: Facts;
  /** The registry's entry for the tool; `undefined` when it has none, which is an unresolved fact. */
  readonly contract: DecidingContract | undefined;
  /** The words that a claim may use. */
  readonly vocabulary: ClaimVocabulary;
  /** What existing authorization and approval say. Default `allow`. Never loosened. */
  readonly baseline?: Outcome | undefined;
}

/** What was decided. */
export interface Decision {
  /** The most restrictive outcome of all checks and of `baseline`. */
  readonly outcome: Outcome;
  /** What the model may be told; `undefined` when the tool runs. */
  readonly reason: Reason | undefined;
  /**
   * Every check that was made, in the order in which their reasons are told; the one check `fault` when the decision itself
   * failed.
   */
  readonly checks: readonly CheckResult[];
  /** The same as data without content, for the audit trail. */
  readonly record: DecisionRecord;
}

/** How far a decision goes. More than `full` there is not; the others exist to measure what each part adds. */
export type Configuration = "free_form" | "schema" | "payload" | "full";

const SCOPES: Readonly<Record<Configuration, readonly CheckScope[]>> = {
  free_form: ["tool"],
  schema: ["tool", "form"],
  payload: ["tool", "form", "payload"],
  full: ["tool", "form", "payload", "facts"],
};

const ENTRIES = Object.entries(CHECKS) as readonly [CheckId, Check][];

/** The checks of a configuration. */
function checksOf(profile: Profile, configuration: Configuration): readonly [CheckId, Check][] {
  return ENTRIES.filter(([, { scope }]) =>
    SCOPES[configuration].includes(typeof scope === "string" ? scope : scope[profile]),
  );
}

// What ships, chosen once: a call waits for its decision.
const SHIPPED = checksOf("trustabl", "full");

/**
 * Decides on a call. The outcome is the most restrictive one of all checks and of `baseline`.
 *
 * @example
 * ```ts
 * import { decide } from "agent-reliability-otel-labels/claims";
 *
 * const { outcome, reason } = decide({
 *   claim: undefined,
 *   call: { tool: "send_mail", arguments: { to: "a@example.com" } },
 *   contract: { name: "send_mail", risk: "medium", claim: "required" },
 *   facts: {},
 *   vocabulary: { intentClasses: ["send"] },
 * }); // "deny", "claim"
 * ```
 */
export function decide(input: DecideInput): Decision {
  return decideBy(input, "trustabl", SHIPPED);
}

/** {@link decide} in a profile and a configuration, for the conformance suite. */
export function decideAs(input: DecideInput, profile: Profile, configuration: Configuration): Decision {
  return decideBy(input, profile, checksOf(profile, configuration));
}

function decideBy(input: DecideInput, profile: Profile, asked: readonly [CheckId, Check][]): Decision {
  try {
    const ground = groundOf(input, profile);
    const checks = asked.map(([id, { outcome }]): CheckResult => ({ id, outcome: outcome(ground) }));
    return conclude(
      checks,
      baselineOf(input),
      profile,
      digestsOf(ground.reading, ground.payload, ground.facts),
    );
  } catch {
    // What cannot be compared must not run.
    return conclude([{ id: "fault", outcome: "deny" }], "deny", profile, NO_DIGESTS);
  }
}

const NO_DIGESTS = {
  claim: undefined,
  payload: undefined,
  intent: undefined,
  policy: undefined,
  untrusted: [],
} as const;

function groundOf({ claim, call, facts, contract, vocabulary }: DecideInput, profile: Profile): Ground {
  return {
    profile,
    called: call.tool,
    tool: isToolFact(contract) ? contract : undefined,
    reading: readClaim(claim, vocabulary),
    effect: effectOf(contract?.effect, call.arguments),
    payload: digestIfAny(call.arguments),
    facts: readFacts(facts),
  };
}

function isToolFact(contract: DecidingContract | undefined): contract is DecidingContract {
  return (
    typeof contract?.name === "string" &&
    (contract.risk === undefined || RISKS.includes(contract.risk)) &&
    (contract.claim === undefined || CLAIMS.includes(contract.claim))
  );
}

// A baseline of another form is a fault of the application's, and must not be read as permission.
function baselineOf({ baseline = "allow" }: DecideInput): Outcome {
  return isOutcome(baseline) ? baseline : "deny";
}

function conclude(
  checks: readonly CheckResult[],
  baseline: Outcome,
  profile: Profile,
  digests: DecisionRecord["digests"],
): Decision {
  const outcome = checks.reduce((worst, check) => mostRestrictive(worst, check.outcome), baseline);
  const against = checks.filter((check) => check.outcome !== "allow");
  const reasons = [...new Set(against.map(({ id }) => (id === "fault" ? "denied" : CHECKS[id].reason)))];
  return {
    outcome,
    reason: reasonFor(outcome, checks),
    checks,
    record: { schemaVersion: SCHEMA_VERSION, profile, outcome, baseline, checks, reasons, digests },
  };
}

function reasonFor(outcome: Outcome, checks: readonly CheckResult[]): Reason | undefined {
  if (outcome === "allow") return undefined;
  if (outcome === "review") return "review";
  const denying = checks.find((check) => check.outcome === "deny");
  return denying === undefined || denying.id === "fault" ? "denied" : CHECKS[denying.id].reason;
}
