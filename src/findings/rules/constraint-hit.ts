import type { Rule } from "./rule.ts";

/** A constraint that bit. */
export const constraintHit: Rule = {
  id: "constraint_hit",
  title: "A constraint denied or capped a call",
  severity: "medium",
  shadow: true,
  why: "Nothing is wrong: the constraint worked. Many of these on one tool are worth a look.",
  fires: "A call's constraint decision is `deny` or `cap`.",
  message: "A constraint denied or capped a call.",
  needs: ["trustabl.constraint.decision"],
  foreign: ["decision"],
  condition: { kind: "each", subject: "calls", where: [{ field: "decision", is: ["deny", "cap"] }] },
  evidence: ["tool", "step", "decision", "constraintKind", "reasonCode"],
  fixClass: "policy.review_constraint",
  fix: "Look at who asks for it: the agent's instructions and the constraint may contradict each other.",
  example: "The budget of a run is used up, and the next call is capped.",
};
