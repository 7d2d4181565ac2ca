import type { SchemaNode } from "../schema/walk.ts";
import { wordsOf } from "./name-words.ts";
import { placed } from "./places.ts";
import { toolRule } from "./rule.ts";

/** A choice lists what can be chosen. */
export const contract014 = toolRule({
  id: "CONTRACT-014",
  title: "Tool input has a choice without allowed values",
  severity: "low",
  severityBecause: "It is known by the field's name only, and a free text may be meant.",
  confidence: 0.6,
  scope: "tool",
  frameworks: undefined,
  appliesWhen: "When a field of a tool's input is a choice: a severity, a status, a kind.",
  why: "A model fills a free field with a value of its own making, and whatever reads it later knows no such value.",
  directive: 'List the allowed values: `enum: ["p1", "p2", "p3"]`; in zod `z.enum([...])`.',
  found: { free: "A field whose name is that of a choice takes any text." },
  detect: ({ input }) => input && placed("free", input.nodes.filter(isFreeChoice)),
});

const CHOICES = new Set([
  "action",
  "category",
  "environment",
  "kind",
  "level",
  "mode",
  "operation",
  "priority",
  "severity",
  "state",
  "status",
]);

const isFreeChoice = ({ at, schema, types, isListed }: SchemaNode): boolean =>
  at.at(-2) === "properties" &&
  types.includes("string") &&
  !isListed &&
  schema.pattern === undefined &&
  CHOICES.has(wordsOf(at.at(-1) ?? "").at(-1) ?? "");
