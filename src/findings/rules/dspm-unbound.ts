import type { Rule } from "./rule.ts";

/** A run without a data security policy. */
export const dspmUnbound: Rule = {
  id: "dspm_unbound",
  title: "An agent runs without a data security policy",
  severity: "high",
  why: "Nobody can say afterwards which data the agent was allowed to touch.",
  fires: "The root span of a run has no `data_security` binding.",
  message: "The root span of a run has no data security binding.",
  needs: ["trustabl.run_id on the root span", "trustabl.policy.binding events"],
  condition: { kind: "unbound", subject: "roots", types: ["data_security"] },
  literal: {
    condition: { kind: "unbound", subject: "agents", types: ["data_security"] },
    difference: "Asks it of every agent's span, not of the root span of a run only.",
  },
  evidence: ["exitReason"],
  fixClass: "policy.require_bundle",
  fix: "Sign a policy of the type data_security, load it with loadPolicies() and give it to withRun(root, ..., { policies }).",
  example: "The root span has a `sandbox` and a `content_safety` binding, and no `data_security` one.",
};
