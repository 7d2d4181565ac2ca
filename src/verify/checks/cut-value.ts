/**
 * Values that an SDK's length limit has cut: the beginning of a value that would be right. An id that is cut is still an
 * id, so of those nothing can be told.
 *
 * @module
 */
import type { Shape } from "../../attributes/registry.ts";

/** The variable that sets the limit. */
export const LENGTH_LIMIT = "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT";

// The shortest word that says something; of the shorter ones a fault of the writer is as likely.
const SHORTEST_WORD = 3;

// MD5 and SHA-1.
const OTHER_HASHES: ReadonlySet<number> = new Set([32, 40]);

/** True when the value is the beginning of one that has the form. */
export function isCut(shape: Shape, value: unknown): boolean {
  if (typeof value !== "string") return false;
  switch (shape.form) {
    case "fingerprint":
      return /^[0-9a-f]{1,15}$/.test(value);
    case "sha256":
      return /^[0-9a-f]{1,63}$/.test(value) && !OTHER_HASHES.has(value.length);
    case "enum":
      return (
        value.length >= SHORTEST_WORD && shape.values.some((word) => word !== value && word.startsWith(value))
      );
    default:
      return false;
  }
}
