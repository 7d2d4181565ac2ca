import { toolRule } from "./rule.ts";

/** What cannot be undone is confirmed. */
export const contract011 = toolRule({
  id: "CONTRACT-011",
  title: "Irreversible tool needs no confirmation",
  severity: "high",
  severityBecause: "A wrong call cannot be taken back, and nothing stands between the model and the call.",
  confidence: 0.85,
  scope: "tool",
  frameworks: undefined,
  appliesWhen: 'When the tool of a contract sends, pays or deletes: `sideEffect: "irreversible"`.',
  why: "The model should not be the last one to look at a call that nobody can take back.",
  directive:
    "Set `confirm: true` in the contract, and have a person or an outer policy give the confirmation.",
  found: { unconfirmed: "The tool is marked as irreversible, and calls run without a confirmation." },
  detect: ({ sideEffect, confirm }) =>
    sideEffect === "irreversible" && confirm === false ? { reason: "unconfirmed" } : undefined,
});
