import { toolRule } from "./rule.ts";

/** What changes something is confirmed. */
export const contract012 = toolRule({
  id: "CONTRACT-012",
  title: "Writing tool needs no confirmation",
  severity: "medium",
  severityBecause:
    "It can be undone; for a tool that is cheap and called often, no confirmation may be right.",
  confidence: 0.6,
  scope: "tool",
  frameworks: undefined,
  appliesWhen: 'When the tool of a contract changes something outside: `sideEffect: "write"`.',
  why: "Undoing needs somebody who notices; a confirmation is when that somebody looks.",
  directive:
    "Set `confirm: true` in the contract, or name the lesser side effect that the tool really has; where a confirmation is too much, say why in the review of the change.",
  found: {
    unconfirmed: "The tool is marked as writing, and calls run without a confirmation.",
    unsaid: "The contract does not say what the tool can do, and calls run without a confirmation.",
  },
  detect({ framework, sideEffect, confirm }) {
    if (confirm !== false) return undefined;
    if (sideEffect === "write") return { reason: "unconfirmed" };
    // Other definitions have no place to say it.
    return framework === "contracts" && sideEffect === undefined ? { reason: "unsaid" } : undefined;
  },
});
