import type { Rule } from "./rule.ts";

/** An answer after a denial, with nothing allowed between. */
export const deniedThenAnswered: Rule = {
  id: "denied_then_answered",
  title: "The agent answered although its last calls were denied",
  severity: "high",
  why: "An answer that rests on a call which never ran is made up, or the agent had the data from elsewhere.",
  fires:
    "A call was denied (`decision` is `deny`, or without a decision the error class is `auth`), no later call of the run was not, and the run ended with `final_answer`.",
  message: "The run ended with an answer, and after its last denied call nothing was allowed.",
  needs: [
    "trustabl.run_id",
    "trustabl.step_index",
    "trustabl.exit_reason",
    "trustabl.constraint.decision or trustabl.tool.error_class",
  ],
  condition: {
    kind: "sequence",
    denied: [
      [{ field: "decision", is: ["deny"] }],
      [
        { field: "decision", there: false },
        { field: "errorClass", is: ["auth"] },
      ],
    ],
    allowed: [
      [
        { field: "decision", there: true },
        { field: "decision", not: ["deny"] },
      ],
      [
        { field: "decision", there: false },
        { field: "errorClass", not: ["auth"] },
      ],
    ],
    end: { subject: "roots", where: [{ field: "exitReason", is: ["final_answer"] }] },
  },
  literal: {
    condition: {
      kind: "sequence",
      denied: [[{ field: "decision", is: ["deny"] }]],
      allowed: [[{ field: "decision", is: ["allow"] }]],
      same: "dataClass",
      end: { subject: "agents", where: [{ field: "exitReason", is: ["final_answer"] }] },
    },
    difference:
      "Knows `trustabl.constraint.decision` only, and only an `allow` on the same data class counts as a call between.",
  },
  evidence: ["tool", "step", "decision", "errorClass", "dataClass"],
  fixClass: "policy.require_constraint",
  fix: "End the run with policy_stop when what it needs is denied, or make the answer say what was refused.",
  example: "`read_patient` is denied, no other call follows, and the run ends with `final_answer`.",
};
