import type { SchemaNode } from "../schema/walk.ts";
import { placed } from "./places.ts";
import { toolRule } from "./rule.ts";

/** Every value has a type. */
export const contract005 = toolRule({
  id: "CONTRACT-005",
  title: "Tool input takes a value of any kind",
  severity: "medium",
  severityBecause: "Nothing is refused at this place; how bad that is depends on what the tool does with it.",
  confidence: 0.85,
  scope: "tool",
  frameworks: undefined,
  appliesWhen: "When writing a tool's input schema.",
  why: "Where any value is accepted, no call is ever refused, however wrong it is.",
  directive:
    "Say what the value is: a type with its bounds, or the list of allowed values. Not `{}`, `z.any()` or `z.unknown()`.",
  found: { anything: "A value may be of any type." },
  // The root is CONTRACT-004's: arguments are an object in any case.
  detect: ({ input }) =>
    input &&
    placed(
      "anything",
      input.nodes.filter((node) => node.at.length > 0 && isAnything(node)),
    ),
});

const SAYS_WHAT = ["properties", "items", "prefixItems", "anyOf", "oneOf", "not", "$ref", "if"];

const isAnything = ({ schema, types, isListed }: SchemaNode): boolean =>
  types.length === 0 && !isListed && !SAYS_WHAT.some((keyword) => keyword in schema);
