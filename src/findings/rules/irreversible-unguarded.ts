import type { Rule } from "./rule.ts";

/** An irreversible call that nobody decided on. */
export const irreversibleUnguarded: Rule = {
  id: "irreversible_unguarded",
  title: "An irreversible tool was called without a decision",
  severity: "critical",
  why: "What cannot be undone must not run because a model asked for it. A decision on the span shows that something stood between.",
  fires: "A call of a tool with the side effect `irreversible` carries no constraint decision.",
  message: "An irreversible tool was called, and no constraint decided on the call.",
  needs: ["trustabl.tool.side_effect", "trustabl.constraint.decision or trustabl.constraint.kind"],
  foreign: ["decision", "constraintKind"],
  condition: {
    kind: "each",
    subject: "calls",
    where: [
      { field: "sideEffect", is: ["irreversible"] },
      { field: "decision", there: false },
      { field: "constraintKind", there: false },
    ],
  },
  literal: {
    condition: {
      kind: "each",
      subject: "calls",
      where: [
        { field: "sideEffect", is: ["irreversible"] },
        { field: "constraintKind", there: false },
      ],
    },
    difference:
      "Reads `trustabl.constraint.kind` only, and applies where nothing in the input writes it: then every irreversible call is a finding.",
  },
  evidence: ["tool", "step", "sideEffect"],
  fixClass: "policy.require_constraint",
  fix: "Put the tool behind a mediator that decides on each call (mediate() of the subpath /claims does) and writes its decision on the tool's span.",
  example:
    "`send_payment` ran; the span of `search` carries a decision of the mediator, the span of `send_payment` none.",
};
