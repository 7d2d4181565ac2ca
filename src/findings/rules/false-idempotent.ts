import type { Rule } from "./rule.ts";

/** A pure tool with two answers. */
export const falseIdempotent: Rule = {
  id: "false_idempotent",
  title: "A tool that is declared pure gave two answers",
  severity: "high",
  why: "Whoever trusts the declaration caches, retries and replays calls that must not be.",
  fires:
    "Within a run, a tool declared `pure` gave different results for the same arguments. Failed calls, and results that are `null`, are left aside.",
  message: "A tool that is declared pure gave different results for the same arguments.",
  needs: [
    "trustabl.run_id",
    "trustabl.tool.input_fp",
    "trustabl.tool.output_fp",
    "trustabl.tool.side_effect",
  ],
  condition: {
    kind: "drift",
    subject: "calls",
    where: [
      { field: "sideEffect", is: ["pure", "none"] },
      { field: "failed", is: [false] },
      { field: "inputFp", there: true },
      { field: "outputFp", there: true },
    ],
    groupBy: ["tool", "inputFp"],
    values: ["outputFp"],
  },
  literal: {
    condition: {
      kind: "drift",
      subject: "calls",
      where: [
        { field: "sideEffect", is: ["none"] },
        { field: "inputFp", there: true },
        { field: "outputFp", there: true },
      ],
      groupBy: ["inputFp"],
      values: ["outputFp"],
    },
    difference:
      "Knows `none` only, which the labels do not have, so that it never fires on them; groups by the fingerprint alone and counts failures as results.",
  },
  evidence: ["tool", "inputFp", "outputFp", "step"],
  fixClass: "policy.audit_tool",
  fix: "Declare the side effect that the tool has (`read` when it reads what changes), or leave it out.",
  example: "`convert_currency` is declared pure and reads today's rate.",
};
