import type { Rule } from "./rule.ts";

/** A delegated agent without policies of its own. */
export const handoffUnbound: Rule = {
  id: "handoff_unbound",
  title: "A delegated agent runs without policies of its own",
  severity: "high",
  why: "A delegated agent does not inherit the policies of the one that called it: without its own it runs without any.",
  fires: "No span with the same `handoff_id` in its trace carries a policy binding event.",
  message: "A delegated agent runs without a policy binding of its own.",
  needs: ["trustabl.handoff_id", "trustabl.policy.binding events"],
  condition: { kind: "unbound", subject: "delegations", types: "any" },
  literal: {
    condition: {
      kind: "each",
      subject: "agents",
      where: [
        { field: "handoffId", there: true },
        { field: "bundleId", there: false },
      ],
    },
    difference:
      "Reads `trustabl.policy.bundle_id`, which these labels do not have, and not the binding events: it fires on every delegated agent.",
  },
  evidence: ["handoffId"],
  fixClass: "policy.require_bundle_on_handoff",
  fix: "Bind the delegated agent's policies on its own span: withRun(span, ..., { policies }) or bindAuthority(span, bindings).",
  example: "A travel agent delegates to a booking agent, whose span has a handoff id and no binding.",
};
