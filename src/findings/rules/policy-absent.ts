import type { Rule } from "./rule.ts";

/** A run without a sandbox or a content policy. */
export const policyAbsent: Rule = {
  id: "policy_absent",
  title: "An agent runs without a sandbox or a content safety policy",
  severity: "high",
  why: "Without a binding nobody can say afterwards which rules were in force, or whether there were any.",
  fires: "The root span of a run has no `sandbox` binding, or no `content_safety` one. `missing` names each.",
  message: "The root span of a run lacks a policy binding.",
  needs: ["trustabl.run_id on the root span", "trustabl.policy.binding events"],
  condition: { kind: "unbound", subject: "roots", types: ["sandbox", "content_safety"] },
  literal: {
    condition: { kind: "unbound", subject: "agents", types: ["sandbox", "content_safety"] },
    difference: "Asks it of every agent's span, not of the root span of a run only.",
  },
  evidence: ["exitReason"],
  fixClass: "policy.require_bundle",
  fix: "Sign the policy, load it with loadPolicies() and give it to withRun(root, ..., { policies }).",
  example: "The root span has a `sandbox` binding only: `missing` is `content_safety`.",
};
