import { isUnboundedText } from "../schema/bounded-text.ts";
import { placed } from "./places.ts";
import { toolRule } from "./rule.ts";

/** Texts have a greatest length. */
export const contract006 = toolRule({
  id: "CONTRACT-006",
  title: "Tool input has a text without a greatest length",
  severity: "low",
  severityBecause: "A long text costs money and time, and rarely does worse.",
  confidence: 0.7,
  scope: "tool",
  frameworks: undefined,
  appliesWhen: "When writing a tool's input schema.",
  why: "Whole files and pages end up in a field that was meant for a name, and nobody refuses them.",
  directive: "Set `maxLength` (zod: `.max(n)`), or list the allowed values.",
  found: { unbounded: "A text may be of any length." },
  // With a pattern it is CONTRACT-008's.
  detect: ({ input }) =>
    input &&
    placed(
      "unbounded",
      input.nodes.filter((node) => isUnboundedText(node, input) && node.schema.pattern === undefined),
    ),
});
