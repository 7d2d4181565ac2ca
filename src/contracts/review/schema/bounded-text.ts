/**
 * Whether a text in a schema has a greatest length.
 *
 * @module
 */
import type { InputSchema } from "./input-schema.ts";
import type { SchemaNode } from "./walk.ts";

// Formats whose texts have a greatest length by themselves, where something checks them: JSON Schema alone does not.
const SHORT_FORMATS = new Set(["date", "ipv4", "ipv6", "uuid"]);

/** True for a text that may be of any length. */
export function isUnboundedText(
  { schema, types, isListed }: SchemaNode,
  { dropsUnknown }: InputSchema,
): boolean {
  if (!types.includes("string") || isListed || typeof schema.maxLength === "number") return false;
  const isChecked = dropsUnknown || typeof schema.pattern === "string";
  return !(isChecked && SHORT_FORMATS.has(String(schema.format)));
}
