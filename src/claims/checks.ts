/**
 * Every comparison of a claim with the facts, one row each. A row gives an outcome; the decision is the most restrictive.
 *
 * `arguments ≤ claim ≤ authorized intent`: what the call does is within what the claim says, and that is within what
 * was authorized.
 *
 * @module
 */
import type { ClaimRequirement, Risk } from "../contracts/contract.ts";
import type { ToolInvocationExplanation } from "./claim.ts";
import type { Digest } from "./digest.ts";
import type { CallEffect } from "./effect.ts";
import type { Facts } from "./facts.ts";
import { isAbove, type Outcome } from "./outcome.ts";
import type { ClaimReading } from "./read-claim.ts";
import type { Reason } from "./reasons.ts";

/**
 * `trustabl`: a claim that is missing or malformed is denied, and the model may call again. `paper`: as in the paper
 * (arXiv 2607.25364), where it is reviewed, and so is a risk that is declared too low.
 */
export type Profile = "trustabl" | "paper";

/** How much a check needs: only the tool, the claim's form, the arguments, or all facts. */
export type CheckScope = "tool" | "form" | "payload" | "facts";

/** What the registry of the server says about a tool. */
export interface ToolFact {
  readonly name: string;
  /** Not said: as grave as can be. */
  readonly risk?: Risk | undefined;
  /** Not said: required. */
  readonly claim?: ClaimRequirement | undefined;
}

/** What the checks look at. */
export interface Ground {
  readonly profile: Profile;
  readonly called: string;
  readonly tool: ToolFact | undefined;
  readonly reading: ClaimReading;
  readonly effect: CallEffect | undefined;
  readonly payload: Digest | undefined;
  readonly facts: Facts;
}

/** One comparison. */
export interface Check {
  readonly scope: CheckScope | Readonly<Record<Profile, CheckScope>>;
  /** What the model is told when this check denies. */
  readonly reason: Reason;
  readonly outcome: (ground: Ground) => Outcome;
}

/** One comparison that there must be a well-formed claim for; without one, other checks have spoken. */
function onClaim(
  compare: (claim: ToolInvocationExplanation, ground: Ground) => Outcome,
): (ground: Ground) => Outcome {
  return (ground) => (ground.reading.claim === undefined ? "allow" : compare(ground.reading.claim, ground));
}

/** A comparison of the claim with what the call touches; that it cannot be told is a check of its own. */
function onEffect(
  compare: (claim: ToolInvocationExplanation, effect: CallEffect) => boolean,
): (ground: Ground) => Outcome {
  return onClaim((claim, { effect }) => (effect === undefined || compare(claim, effect) ? "allow" : "deny"));
}

const riskOf = ({ risk = "high" }: ToolFact): Risk => risk;
const denyUnless = (holds: boolean): Outcome => (holds ? "allow" : "deny");
const reviewUnless = (holds: boolean): Outcome => (holds ? "allow" : "review");
const isWithin = (values: readonly string[], bound: readonly string[] | "any") =>
  bound === "any" || values.every((value) => bound.includes(value));

/** The checks, by id, in the order in which their reasons are told. */
export const CHECKS = {
  tool_known: {
    scope: "tool",
    reason: "tool",
    outcome: ({ tool }) => reviewUnless(tool !== undefined),
  },
  tool_risk: {
    scope: "tool",
    reason: "tool",
    outcome: ({ tool }) => reviewUnless(tool === undefined || riskOf(tool) !== "high"),
  },
  claim_present: {
    scope: "form",
    reason: "claim",
    outcome: ({ reading, tool, profile }) =>
      !reading.faults.has("missing") || tool?.claim === "none"
        ? "allow"
        : profile === "paper"
          ? "review"
          : "deny",
  },
  claim_undeclared_content: {
    scope: "form",
    reason: "claim",
    outcome: ({ reading }) => denyUnless(!reading.faults.has("undeclared_content")),
  },
  claim_well_formed: {
    scope: "form",
    reason: "claim",
    outcome: ({ reading, profile }) =>
      !(reading.faults.has("malformed") || reading.faults.has("unknown_version"))
        ? "allow"
        : profile === "paper"
          ? "review"
          : "deny",
  },
  policy_evidence: {
    scope: { paper: "form", trustabl: "facts" },
    reason: "evidence",
    outcome: onClaim(({ evidence_refs }) =>
      reviewUnless(evidence_refs.some(({ type }) => type === "policy")),
    ),
  },
  tool_identity: {
    scope: "payload",
    reason: "tool",
    outcome: onClaim((claim, { called, tool }) =>
      denyUnless(claim.selected_tool === called && (tool === undefined || tool.name === called)),
    ),
  },
  effect_known: {
    scope: "payload",
    reason: "arguments",
    outcome: onClaim((_claim, { effect }) => reviewUnless(effect !== undefined)),
  },
  operation: {
    scope: "payload",
    reason: "arguments",
    outcome: onEffect(({ expected_effect }, { operation }) => expected_effect.operation === operation),
  },
  resources: {
    scope: "payload",
    reason: "arguments",
    outcome: onEffect(({ expected_effect }, { resourceIds }) =>
      isWithin(resourceIds, expected_effect.resource_ids),
    ),
  },
  items: {
    scope: "payload",
    reason: "arguments",
    outcome: onEffect(({ expected_effect }, { items }) => items <= expected_effect.max_items),
  },
  resource_type: {
    scope: "facts",
    reason: "arguments",
    outcome: onEffect(
      ({ expected_effect }, { resourceType }) => expected_effect.resource_type === resourceType,
    ),
  },
  destination: {
    scope: "facts",
    reason: "arguments",
    outcome: onEffect(
      ({ expected_effect }, { destination }) =>
        destination === null || expected_effect.destination === destination,
    ),
  },
  route_known: {
    scope: "facts",
    reason: "route",
    outcome: onClaim((_claim, { facts }) => reviewUnless(facts.route !== undefined)),
  },
  route: {
    scope: "facts",
    reason: "route",
    outcome: onClaim((_claim, { facts, called }) => denyUnless(facts.route?.tools.includes(called) ?? true)),
  },
  intent_known: {
    scope: "facts",
    reason: "intent",
    outcome: onClaim((_claim, { facts }) => reviewUnless(facts.intent !== undefined)),
  },
  intent_class: {
    scope: "facts",
    reason: "intent",
    outcome: onClaim(({ intent_class }, { facts }) =>
      denyUnless(facts.intent?.classes.includes(intent_class) ?? true),
    ),
  },
  intent_operation: {
    scope: "facts",
    reason: "intent",
    outcome: onClaim(({ expected_effect }, { facts, effect }) => {
      const operations: readonly string[] | undefined = facts.intent?.operations;
      return denyUnless(
        operations === undefined ||
          (operations.includes(expected_effect.operation) &&
            (effect === undefined || operations.includes(effect.operation))),
      );
    }),
  },
  intent_bounds: {
    scope: "facts",
    reason: "intent",
    outcome: onClaim(({ expected_effect: claimed }, { facts: { intent } }) =>
      denyUnless(
        intent === undefined ||
          (claimed.max_items <= intent.maxItems &&
            isWithin(claimed.resource_ids, intent.resourceIds) &&
            isWithin(claimed.resource_type === null ? [] : [claimed.resource_type], intent.resourceTypes) &&
            isWithin(claimed.destination === null ? [] : [claimed.destination], intent.destinations)),
      ),
    ),
  },
  policy_known: {
    scope: "facts",
    reason: "evidence",
    outcome: onClaim((_claim, { facts }) => reviewUnless(facts.policy !== undefined)),
  },
  evidence: {
    scope: "facts",
    reason: "evidence",
    outcome: onClaim(({ evidence_refs }, { facts, payload }) => {
      const current = { intent: facts.intent?.digest, policy: facts.policy?.digest, payload };
      const stale = evidence_refs.some(
        ({ type, digest }) => current[type] !== undefined && current[type] !== digest,
      );
      if (stale) return "deny";
      return reviewUnless(evidence_refs.every(({ type }) => current[type] !== undefined));
    }),
  },
  context_known: {
    scope: "facts",
    reason: "context",
    outcome: onClaim((_claim, { facts }) => reviewUnless(facts.context !== undefined)),
  },
  context: {
    scope: "facts",
    reason: "context",
    outcome: onClaim(({ untrusted_context }, { facts }) => {
      const named = new Set(untrusted_context.map(({ source, digest }) => `${digest} ${source}`));
      return denyUnless(
        facts.context?.used.every(({ source, digest }) => named.has(`${digest} ${source}`)) ?? true,
      );
    }),
  },
  uncertainty: {
    scope: "facts",
    reason: "claim",
    outcome: onClaim(({ uncertainty }) => reviewUnless(uncertainty !== "high")),
  },
  declared_risk: {
    scope: "facts",
    reason: "claim",
    outcome: onClaim(({ risk_tier }, { tool, profile }) =>
      reviewUnless(
        tool === undefined ||
          !(isAbove(risk_tier, riskOf(tool)) || (profile === "paper" && isAbove(riskOf(tool), risk_tier))),
      ),
    ),
  },
} as const satisfies Record<string, Check>;

/** The stable id of a check. */
export type CheckId = keyof typeof CHECKS;
