import type { SchemaNode } from "../schema/walk.ts";
import { wordsOf } from "./name-words.ts";
import { placed } from "./places.ts";
import { toolRule } from "./rule.ts";

/** The model does not confirm its own calls. */
export const contract010 = toolRule({
  id: "CONTRACT-010",
  title: "Tool lets the model confirm its own call",
  severity: "high",
  severityBecause:
    "A safeguard that whoever it guards against can switch off is worse than none: people rely on it.",
  confidence: 0.8,
  scope: "tool",
  frameworks: undefined,
  appliesWhen: "When a tool needs somebody's consent.",
  why: "The model fills in every field of the schema; it will fill in the confirmation too, when it thinks it is fine.",
  directive:
    "Take the field out of the schema, and the confirmation from outside the model: a person, or an outer policy, through the framework's approval.",
  found: { field: "The input schema has a field by which the model confirms or approves." },
  detect: ({ input }) => input && placed("field", input.nodes.filter(isConfirmation)),
});

const CONFIRMS = new Set([
  "confirm",
  "confirmed",
  "confirmation",
  "approve",
  "approved",
  "approval",
  "consent",
]);

// Only what has two values, or one: `approval_id` and `confirmation_email` are data.
function isConfirmation({ at, schema, types, isListed }: SchemaNode): boolean {
  if (at.at(-2) !== "properties") return false;
  const isFlag = types.includes("boolean") || (isListed && "const" in schema);
  return isFlag && wordsOf(at.at(-1) ?? "").some((word) => CONFIRMS.has(word));
}
