import { isPlainObject } from "../schema/plain-copy.ts";
import type { SchemaNode } from "../schema/walk.ts";
import { placed } from "./places.ts";
import { toolRule } from "./rule.ts";

/** Objects name all their members. */
export const contract004 = toolRule({
  id: "CONTRACT-004",
  title: "Tool input is an open object",
  severity: "medium",
  severityBecause:
    "What the schema does not name harms only where the tool passes its arguments on, which many do.",
  confidence: 0.8,
  scope: "tool",
  frameworks: undefined,
  appliesWhen: "When writing a tool's input schema.",
  why: "A member that nobody thought of reaches the tool unchecked, and travels on into a query, a request or a record.",
  directive:
    "Close every object: `additionalProperties: false`; in zod `z.object` or `z.strictObject`, not `z.looseObject`, `z.record` or `catchall`.",
  found: { open: "An object accepts members that its schema does not name." },
  detect({ input }) {
    if (input === undefined) return undefined;
    return placed(
      "open",
      input.nodes.filter((node) => isOpen(node, input.dropsUnknown)),
    );
  },
});

function isOpen({ schema, types, isListed, at }: SchemaNode, dropsUnknown: boolean): boolean {
  // A root without a type is an object all the same: arguments are nothing else.
  const isObject =
    types.includes("object") || isPlainObject(schema.properties) || (at.length === 0 && isBare(schema));
  if (!isObject || isListed) return false;
  const { additionalProperties, unevaluatedProperties } = schema;
  if (additionalProperties === false || unevaluatedProperties === false) return false;
  return additionalProperties !== undefined || !dropsUnknown;
}

const isBare = (schema: SchemaNode["schema"]): boolean =>
  !["type", "anyOf", "oneOf", "enum", "const"].some((keyword) => keyword in schema);
