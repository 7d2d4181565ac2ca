import { isVague, wordsOf } from "./name-words.ts";
import { toolRule } from "./rule.ts";

/** A tool's name says more than that something happens. */
export const contract001 = toolRule({
  id: "CONTRACT-001",
  title: "Tool name is a vague verb",
  severity: "medium",
  severityBecause:
    "The name is read before every call, and this one fits every call; the schema may still be narrow.",
  confidence: 0.9,
  scope: "tool",
  frameworks: undefined,
  appliesWhen: "When naming a tool.",
  why: "The name is what the model picks a tool by; one that fits everything is picked for everything.",
  directive: "Name the one action and its object: `rerun_job`, not `run`.",
  found: { vague: "The name is a verb that any call would fit." },
  detect: ({ name }) => (isVague(wordsOf(name ?? "")) ? { reason: "vague" } : undefined),
});
