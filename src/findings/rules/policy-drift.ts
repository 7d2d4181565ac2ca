import type { Rule } from "./rule.ts";

/** One policy in two forms within a run. */
export const policyDrift: Rule = {
  id: "policy_drift",
  title: "A policy changed during a run",
  severity: "high",
  why: "Calls of one run were made under different rules, and the run's record names only one.",
  fires:
    "Within a run, one policy id has two hashes or two versions: in binding events, or in the bundle labels of another producer.",
  message: "One policy has two hashes or versions within a run.",
  needs: ["trustabl.run_id", "trustabl.policy.binding events, or trustabl.policy.bundle_sha256"],
  condition: {
    kind: "drift",
    subject: "policies",
    where: [{ field: "policyId", there: true }],
    groupBy: ["policyId"],
    values: ["policySha256", "policyVersion"],
  },
  literal: {
    condition: {
      kind: "drift",
      subject: "calls",
      where: [{ field: "bundleSha256", there: true }],
      groupBy: [],
      values: ["bundleSha256"],
    },
    difference:
      "Reads `trustabl.policy.bundle_sha256` on tool spans only, which these labels do not have, so that it never fires on them.",
  },
  evidence: ["policyId", "policySha256", "policyVersion"],
  fixClass: "policy.pin_bundle",
  fix: "Load the policies once for each run and pass them on; do not read them again while it runs.",
  example: "`desk-sandbox` is bound as version 3 on the root and as version 4 on the delegated agent.",
};
