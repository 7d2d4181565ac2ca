/**
 * What the server knows, to compare a claim with. Nothing here may come from the claim, the prompt or a tool's result.
 *
 * A fact that is missing or has not its form is unresolved. Unknown is never a match: it asks for a review.
 *
 * @module
 */
import type { Operation } from "../contracts/contract.ts";
import type { UntrustedInput } from "../run/run.ts";
import { type Digest, isDigest } from "./digest.ts";
import { isOperation } from "./effect.ts";

/** What the person who gave the task has authorized. */
export interface IntentFact {
  /** The digest that a claim's evidence of type `intent` has to show. */
  readonly digest: Digest;
  /** Intent classes of the vocabulary that a claim may name. */
  readonly classes: readonly string[];
  /** What may be done. */
  readonly operations: readonly Operation[];
  /** Types of resources; `"any"` says that the intent does not restrict them. */
  readonly resourceTypes: readonly string[] | "any";
  /** What may be touched; `"any"` says that the intent does not restrict it. */
  readonly resourceIds: readonly string[] | "any";
  /** How many items one call may touch. */
  readonly maxItems: number;
  /** Where something may be sent; `"any"` says that the intent does not restrict it. */
  readonly destinations: readonly string[] | "any";
}

/** The facts of one call. `undefined` is a fact that could not be resolved. */
export interface Facts {
  /** What the person who gave the task has authorized. Missing: nothing can be compared with it, which asks for a review. */
  readonly intent?: IntentFact | undefined;
  /** The policy that is in force now. */
  readonly policy?: { readonly digest: Digest } | undefined;
  /** The tools that this task may reach on its way. */
  readonly route?: { readonly tools: readonly string[] } | undefined;
  /** The untrusted inputs that this run has used so far. */
  readonly context?: { readonly used: readonly UntrustedInput[] } | undefined;
}

/** Keeps of `facts` what has the form of a fact; the rest counts as unresolved. */
export function readFacts(facts: unknown): Facts {
  if (!isRecord(facts)) return {};
  const { intent, policy, route, context } = facts;
  return {
    intent: isIntent(intent) ? intent : undefined,
    policy: isRecord(policy) && isDigest(policy.digest) ? { digest: policy.digest } : undefined,
    route: isRecord(route) && isStrings(route.tools) ? { tools: route.tools } : undefined,
    context: isRecord(context) && isUsed(context.used) ? { used: context.used } : undefined,
  };
}

function isIntent(value: unknown): value is IntentFact {
  return (
    isRecord(value) &&
    isDigest(value.digest) &&
    isStrings(value.classes) &&
    Array.isArray(value.operations) &&
    value.operations.every(isOperation) &&
    isBound(value.resourceTypes) &&
    isBound(value.resourceIds) &&
    typeof value.maxItems === "number" &&
    value.maxItems >= 0 &&
    isBound(value.destinations)
  );
}

const isBound = (value: unknown) => value === "any" || isStrings(value);

const isUsed = (value: unknown): value is UntrustedInput[] =>
  Array.isArray(value) &&
  value.every((input) => isRecord(input) && typeof input.source === "string" && isDigest(input.digest));

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === "string");

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
