import { isUnboundedText } from "../schema/bounded-text.ts";
import { placed } from "./places.ts";
import { toolRule } from "./rule.ts";

/** A pattern is run on texts of bounded length. */
export const contract008 = toolRule({
  id: "CONTRACT-008",
  title: "Tool input has a pattern without a greatest length",
  severity: "medium",
  severityBecause: "An expression that backtracks stops the whole process, on a text that the model chose.",
  confidence: 0.7,
  scope: "tool",
  frameworks: undefined,
  appliesWhen: "When writing a tool's input schema.",
  why: "A regular expression can take time that grows without bound with the length of the text.",
  directive: "Set `maxLength` beside every `pattern` (zod: `.max(n)` beside `.regex()`).",
  found: { unbounded: "A pattern is tried on a text of any length." },
  detect: ({ input }) =>
    input &&
    placed(
      "unbounded",
      input.nodes.filter((node) => isUnboundedText(node, input) && node.schema.pattern !== undefined),
    ),
});
