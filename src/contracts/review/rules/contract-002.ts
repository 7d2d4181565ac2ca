import { isVague, wordsOf } from "./name-words.ts";
import { toolRule } from "./rule.ts";

/** A tool's name has an object. */
export const contract002 = toolRule({
  id: "CONTRACT-002",
  title: "Tool name has no object",
  severity: "low",
  severityBecause:
    "One word can be enough where there is one such tool; it stops being so with the next one.",
  confidence: 0.5,
  scope: "tool",
  frameworks: undefined,
  appliesWhen: "When naming a tool.",
  why: "With several tools at hand, a name without an object (`search`, `delete`) does not tell which one is meant.",
  directive: "Name the action and its object in lower snake case: `search_flights`, `delete_draft`.",
  found: { "one-word": "The name is a single word." },
  // A vague verb alone is CONTRACT-001's, which weighs more: one repair, one finding.
  detect({ name }) {
    const words = wordsOf(name ?? "");
    return words.length === 1 && !isVague(words) ? { reason: "one-word" } : undefined;
  },
});
