import { isAnchored } from "../schema/pattern.ts";
import type { SchemaNode } from "../schema/walk.ts";
import { placed } from "./places.ts";
import { toolRule } from "./rule.ts";

/** A pattern is about the whole text. */
export const contract009 = toolRule({
  id: "CONTRACT-009",
  title: "Tool input has a pattern that is not anchored",
  severity: "medium",
  severityBecause: "The field looks checked and is not: anything may stand before and after the match.",
  confidence: 0.85,
  scope: "tool",
  frameworks: undefined,
  appliesWhen: "When writing a tool's input schema.",
  why: "JSON Schema looks for the pattern anywhere in the text: `[0-9]+` accepts `1; drop table`.",
  directive: "Write `^(?:…)$`, with `|` inside the group.",
  found: { "not-anchored": "A pattern may match a part of the text only." },
  detect: ({ input }) => input && placed("not-anchored", input.nodes.filter(isLoose)),
});

const isLoose = ({ schema, isListed }: SchemaNode): boolean =>
  typeof schema.pattern === "string" && !isListed && !isAnchored(schema.pattern);
