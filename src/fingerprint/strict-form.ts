/**
 * The strict form: JSON values and nothing else. Arrays, plain objects of any realm, and what is in them.
 *
 * @module
 */
import type { Form } from "./form.ts";
import { kindOf } from "./kinds.ts";
import { isPlain, toJsonOf } from "./prototypes.ts";
import { refuse } from "./refusal.ts";

const { getOwnPropertySymbols, keys } = Object;
const { isArray } = Array;
const { propertyIsEnumerable: isEnumerable } = Object.prototype;
const { apply } = Reflect;

function resolve(value: object | bigint): unknown {
  if (typeof value !== "object") return refuse("not_json", typeof value);
  if (!isArray(value) && !isPlain(value)) return refuse("not_json", kindOf(value) ?? "class instance");
  // The members do not show a `toJSON` that is not enumerable, but the wire form would call it: the two forms would
  // give one value two texts.
  if (toJsonOf(value) !== undefined) return refuse("not_json", "object with toJSON");
  return value;
}

function keysOf(object: object): readonly string[] {
  const symbols = getOwnPropertySymbols(object);
  // Frameworks hang metadata on objects by symbols that are not enumerable: those are no members.
  for (let index = 0; index < symbols.length; index++)
    if (apply(isEnumerable, object, [symbols[index]])) refuse("symbol_key");
  return keys(object);
}

export const strictForm: Form = { dropsUndefined: false, resolve, keysOf };
