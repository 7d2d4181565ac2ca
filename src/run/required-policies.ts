/**
 * A run that needs a policy does not start without it.
 *
 * This is not telemetry: it holds with tracing off too, and in doubt it refuses.
 *
 * @module
 */
import { TrustablError } from "../errors.ts";
import type { Binding } from "../labels/policy-binding.ts";

/** A policy that could not be verified. */
export interface FailedPolicy {
  /** The configured id of the policy; it goes into the error of a run that does not start. */
  readonly id: string;
  /** Whether a run may not go on without it. */
  readonly required: boolean;
  /** Stable name of the reason. */
  readonly code: string;
}

/** The policies of a deployment, as `loadPolicies` of the subpath `/policies` gives them. */
export interface PolicySet {
  /** Bound on the run's root span, one event for each. */
  readonly verified: Iterable<Binding>;
  /** Not bound. One that is `required` keeps the run from starting, unless `onPolicyFailure` says otherwise. */
  readonly failed: Iterable<FailedPolicy>;
}

/** What to do about a required policy that failed. */
export type PolicyFailureDecision = "refuse" | "continue";

/** A required policy failed, and the run did not start. */
export class RequiredPolicyError extends TrustablError<"required_policy_failed"> {
  /** The policy's id in the deployment. */
  readonly policyId: string;
  /** Why it failed: a code of the subpath `/policies`. */
  readonly policyCode: string;

  /** Thrown by `withRun` and `startRun`, with the id and the code of the first required policy that failed. */
  constructor(policyId: string, policyCode: string) {
    super(
      "required_policy_failed",
      `the run did not start: the required policy "${policyId}" failed with ${policyCode}; put the policy right, or say onPolicyFailure: "continue"`,
    );
    this.policyId = policyId;
    this.policyCode = policyCode;
  }
}

// A literal, since minifiers change class names; on the prototype, since an own `name` is printed twice.
Object.defineProperty(RequiredPolicyError.prototype, "name", {
  value: "RequiredPolicyError",
  configurable: true,
  writable: true,
});

/**
 * True for the result of loading policies, as opposed to a list of bindings.
 *
 * @throws TypeError on anything else: a forgotten `await` must not start a run whose policies nobody has looked at
 */
export function isPolicySet(policies: Iterable<Binding> | PolicySet): policies is PolicySet {
  if (typeof policies === "object") {
    if ("verified" in policies && "failed" in policies) return true;
    if (Symbol.iterator in policies) return false;
  }
  throw new TypeError('"policies" expected a list of bindings, or what `await loadPolicies()` gives');
}

/** The first required policy that failed and that the application does not go on without. */
export function refusalOf(
  { failed }: PolicySet,
  onFailure: PolicyFailureDecision | ((failure: FailedPolicy) => PolicyFailureDecision) = "refuse",
): RequiredPolicyError | undefined {
  for (const failure of failed) {
    if (failure.required && decide(onFailure, failure) !== "continue") {
      return new RequiredPolicyError(failure.id, failure.code);
    }
  }
  return undefined;
}

function decide(
  onFailure: PolicyFailureDecision | ((failure: FailedPolicy) => PolicyFailureDecision),
  failure: FailedPolicy,
): PolicyFailureDecision {
  if (typeof onFailure !== "function") return onFailure;
  try {
    return onFailure(failure);
  } catch {
    return "refuse";
  }
}
