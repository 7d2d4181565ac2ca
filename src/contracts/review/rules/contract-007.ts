import type { SchemaNode } from "../schema/walk.ts";
import { placed } from "./places.ts";
import { toolRule } from "./rule.ts";

/** Lists have a greatest length. */
export const contract007 = toolRule({
  id: "CONTRACT-007",
  title: "Tool input has a list without a greatest length",
  severity: "medium",
  severityBecause:
    "Each element is one more thing done by a single call, and a single approval covers them all.",
  confidence: 0.75,
  scope: "tool",
  frameworks: undefined,
  appliesWhen: "When writing a tool's input schema.",
  why: "The list is how one confused call touches everything at once.",
  directive: "Set `maxItems` (zod: `.max(n)`) to what one call should ever need.",
  found: { unbounded: "A list may have any number of elements." },
  detect: ({ input }) => input && placed("unbounded", input.nodes.filter(isUnboundedList)),
});

const isUnboundedList = ({ schema, types, isListed }: SchemaNode): boolean =>
  types.includes("array") && !isListed && typeof schema.maxItems !== "number" && schema.items !== false;
