/**
 * The keywords of the subset: which values each may have, and for which types it means anything.
 *
 * @module
 */
import { MAX_ITEMS, MAX_LENGTH } from "../bounds.ts";
import type { InputSchema, TypeName } from "../schema.ts";

interface Keyword {
  /** What its value may be, for the error. */
  readonly allowed: string;
  readonly accepts: (value: unknown) => boolean;
  /** The types it speaks of; left out where it speaks of all. */
  readonly types?: readonly TypeName[];
}

const isCount =
  (most: number) =>
  (value: unknown): boolean =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isText = (value: unknown) => typeof value === "string" && value.trim() !== "";
const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const isNameList = (value: unknown) =>
  Array.isArray(value) &&
  value.every((name) => typeof name === "string") &&
  new Set(value).size === value.length;

const number: Keyword = { allowed: "a number", accepts: isNumber, types: ["integer", "number"] };
const text: Keyword = { allowed: "a text that is not blank", accepts: isText };
const length: Keyword = {
  allowed: `a whole number from 0 to ${MAX_LENGTH}`,
  accepts: isCount(MAX_LENGTH),
  types: ["string"],
};
const items: Keyword = {
  allowed: `a whole number from 0 to ${MAX_ITEMS}`,
  accepts: isCount(MAX_ITEMS),
  types: ["array"],
};

/** Every keyword; any other is refused. */
export const KEYWORDS: { readonly [Name in keyof Required<InputSchema>]: Keyword } = {
  // Checked where it is read: everything else depends on it.
  type: { allowed: "", accepts: () => true },
  enum: {
    allowed: "a list of values, not empty",
    accepts: (value) => Array.isArray(value) && value.length > 0,
  },
  const: { allowed: "a value", accepts: () => true },
  properties: { allowed: "an object of schemas", accepts: isObject, types: ["object"] },
  required: { allowed: "a list of different names", accepts: isNameList, types: ["object"] },
  additionalProperties: { allowed: "false", accepts: (value) => value === false, types: ["object"] },
  items: { allowed: "a schema", accepts: isObject, types: ["array"] },
  minItems: items,
  maxItems: items,
  uniqueItems: { allowed: "true or false", accepts: (value) => typeof value === "boolean", types: ["array"] },
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: {
    ...number,
    allowed: "a number above 0",
    accepts: (value) => isNumber(value) && (value as number) > 0,
  },
  minLength: length,
  maxLength: length,
  pattern: { allowed: "a text", accepts: (value) => typeof value === "string", types: ["string"] },
  title: text,
  description: text,
  default: { allowed: "a value", accepts: () => true },
};
