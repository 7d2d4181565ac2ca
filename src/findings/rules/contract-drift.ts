import type { Rule } from "./rule.ts";

/** Two contracts within a run. */
export const contractDrift: Rule = {
  id: "contract_drift",
  title: "The tool contract changed during a run",
  severity: "high",
  why: "Calls of one run were checked against different contracts: a deployment went through the middle of it.",
  fires:
    "Within a run, one contract (by its id, else by `service.name`) has two hashes on the spans or their resources.",
  message: "One contract has two hashes within a run.",
  needs: [
    "trustabl.run_id",
    "trustabl.contract.sha256 or trustabl.contract_hash, on the span or its resource",
  ],
  foreign: ["contractHash"],
  condition: {
    kind: "drift",
    subject: "spans",
    where: [{ field: "contractHash", there: true }],
    groupBy: ["contractId"],
    values: ["contractHash"],
  },
  literal: {
    condition: {
      kind: "drift",
      subject: "calls",
      where: [{ field: "spanContractHash", there: true }],
      groupBy: [],
      values: ["spanContractHash"],
    },
    difference: "Reads tool spans only, not resources, and does not tell contracts apart.",
  },
  evidence: ["contractId", "contractHash"],
  fixClass: "policy.pin_contract",
  fix: "Finish runs on the version they were started on, or start them anew.",
  example:
    "The first call's resource has the hash of yesterday's release, the second call's the one of today's.",
};
