/**
 * Showing a label's value in a finding: as it is when it has its form, otherwise by kind and length, since a value of
 * the wrong form may be anything, content included.
 *
 * @module
 */
import type { Shape } from "../../attributes/registry.ts";
import { hasShape } from "../../attributes/shapes.ts";

/** The value as findings show it. */
export function showValue(shape: Shape, value: unknown): string {
  if (hasShape(shape, value)) return String(value);
  switch (typeof value) {
    case "string":
      return `a text of ${value.length} ${value.length === 1 ? "character" : "characters"}`;
    case "number":
    case "bigint":
      return "a number";
    case "boolean":
      return "true or false";
    case "undefined":
      return "nothing";
    default:
      if (Array.isArray(value)) return `a list of ${value.length}`;
      return ArrayBuffer.isView(value)
        ? `${value.byteLength} bytes`
        : value === null
          ? "nothing"
          : "a nested value";
  }
}
