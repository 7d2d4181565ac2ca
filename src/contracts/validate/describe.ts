/**
 * What a schema allows, in words for the model. Made of the contract alone.
 *
 * @module
 */
import { MAX_LISTED } from "../bounds.ts";
import type { InputSchema, JsonValue, TypeName } from "../schema.ts";
import { typesOf, valuesOf } from "./prepared-schema.ts";

/** What a value may be: `one of p1, p2, p3`, `a string of 1 to 80 characters`. */
export function describeSchema(schema: InputSchema): string {
  const values = valuesOf(schema);
  if (values !== undefined) {
    return values.length === 1 ? shown(values[0]!) : `one of ${list(values.map(shown))}`;
  }
  const types = typesOf(schema) ?? [];
  return types.map((type) => describeType(schema, type)).join(" or ") || "another value";
}

/** What members an object may have. */
export function describeMembers({ properties = {} }: InputSchema): string {
  const names = Object.keys(properties);
  return names.length === 0 ? "no fields" : `no other fields than ${list(names)}`;
}

/** The bounds of a schema in words, without its type; empty when there are none. */
export function describeBounds(schema: InputSchema): string {
  return (typesOf(schema) ?? [])
    .map((type) => boundsOf(schema, type))
    .filter((bounds) => bounds !== "")
    .join(", ");
}

function describeType(schema: InputSchema, type: TypeName): string {
  const noun = NOUNS[type];
  const bounds = boundsOf(schema, type);
  return bounds === "" ? noun : `${noun} ${bounds}`;
}

const NOUNS: Readonly<Record<TypeName, string>> = {
  null: "null",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
  string: "a string",
  array: "a list",
  object: "an object",
};

function boundsOf(schema: InputSchema, type: TypeName): string {
  switch (type) {
    case "string":
      return [
        range("of", schema.minLength, schema.maxLength, "characters"),
        schema.pattern === undefined ? "" : `that matches ${schema.pattern}`,
      ]
        .filter((part) => part !== "")
        .join(" ");
    case "integer":
    case "number":
      return numberBounds(schema);
    case "array":
      return [
        range("of", schema.minItems, schema.maxItems, "items"),
        schema.uniqueItems === true ? "that are all different" : "",
      ]
        .filter((part) => part !== "")
        .join(" ");
    default:
      return "";
  }
}

function range(before: string, min: number | undefined, max: number | undefined, unit: string): string {
  const least = min === undefined || min === 0 ? undefined : min;
  if (least === undefined) return max === undefined ? "" : `${before} at most ${max} ${unit}`;
  if (max === undefined) return `${before} at least ${least} ${unit}`;
  return least === max ? `${before} exactly ${max} ${unit}` : `${before} ${least} to ${max} ${unit}`;
}

function numberBounds({
  minimum,
  maximum,
  exclusiveMinimum,
  exclusiveMaximum,
  multipleOf,
}: InputSchema): string {
  const parts: string[] = [];
  if (minimum !== undefined) parts.push(`of at least ${minimum}`);
  if (exclusiveMinimum !== undefined) parts.push(`above ${exclusiveMinimum}`);
  if (maximum !== undefined) parts.push(`of at most ${maximum}`);
  if (exclusiveMaximum !== undefined) parts.push(`below ${exclusiveMaximum}`);
  if (multipleOf !== undefined) parts.push(`that is a multiple of ${multipleOf}`);
  return parts.join(", ");
}

// A word that could be taken for something else, or for two, stands in quotes.
const PLAIN_WORD = /^(?!(?:true|false|null)$)[A-Za-z_][\w.-]*$/;

function shown(value: JsonValue): string {
  return typeof value === "string" && PLAIN_WORD.test(value) ? value : JSON.stringify(value);
}

function list(texts: readonly string[]): string {
  const more = texts.length - MAX_LISTED;
  return texts.slice(0, MAX_LISTED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
