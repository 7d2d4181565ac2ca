/**
 * Attributes of OTLP JSON: a list of `{key, value}` with the kind of the value spelt out.
 *
 * @module
 */
import type { AttributeBag } from "../span-view.ts";
import { EMPTY_BAG, newBag } from "./attribute-bag.ts";
import { decodeBase64 } from "./base64.ts";
import { readDouble, readInteger } from "./otlp-numbers.ts";

/** Values nested deeper than this are cut; the conventions nest two or three levels. */
const MAX_DEPTH = 64;

/** The attributes as a bag. Of a name that is there twice the last value counts, as in a map. */
export function readAttributes(list: unknown): AttributeBag {
  if (!Array.isArray(list) || list.length === 0) return EMPTY_BAG;
  return readKeyValues(list, 0);
}

function readKeyValues(list: readonly unknown[], depth: number): AttributeBag {
  const bag = newBag();
  for (const entry of list) {
    if (typeof entry !== "object" || entry === null) continue;
    const { key, value } = entry as { key?: unknown; value?: unknown };
    if (typeof key === "string") bag[key] = readAnyValue(value, depth);
  }
  return bag;
}

/** One value. `null` for an empty or unknown kind, which OTLP says stands for no value. */
function readAnyValue(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return plain(value);
  const any = value as Record<string, unknown>;
  // The commonest kind first: this runs for every attribute of every span.
  if (typeof any.stringValue === "string") return any.stringValue;
  for (const kind in any) {
    switch (kind) {
      case "stringValue":
      case "string_value":
        return plain(any[kind]);
      case "intValue":
      case "int_value":
        return readInteger(any[kind]) ?? Number.NaN;
      case "doubleValue":
      case "double_value":
        return readDouble(any[kind]);
      case "boolValue":
      case "bool_value":
        return any[kind] === true;
      case "bytesValue":
      case "bytes_value":
        return typeof any[kind] === "string" ? (decodeBase64(any[kind]) ?? null) : null;
      case "arrayValue":
      case "array_value":
        return depth < MAX_DEPTH ? members(any[kind]).map((member) => readAnyValue(member, depth + 1)) : null;
      case "kvlistValue":
      case "kvlist_value":
        return depth < MAX_DEPTH ? readKeyValues(members(any[kind]), depth + 1) : null;
    }
  }
  return null;
}

// Not OTLP, but written by hand and by some tools: the bare value.
const plain = (value: unknown): unknown =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;

function members(container: unknown): readonly unknown[] {
  const values = (container as { values?: unknown } | null | undefined)?.values;
  return Array.isArray(values) ? values : [];
}
