/**
 * Does a value have the form that its name asks for? One answer for the writer, which refuses, and for the
 * verifier, which reports.
 *
 * @module
 */
import type { Shape } from "./registry.ts";

/** Longest id in characters (UTF-16 code units). */
export const ID_MAX_LENGTH = 128;

// Control characters end lines and terminals; unpaired surrogates cannot be written as UTF-8.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const FINGERPRINT = /^[0-9a-f]{16}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** True when `value` has the form that `shape` describes. Never throws. */
export function hasShape(shape: Shape, value: unknown): boolean {
  switch (shape.form) {
    case "id":
      return (
        typeof value === "string" &&
        value.length >= 1 &&
        value.length <= ID_MAX_LENGTH &&
        value.isWellFormed() &&
        !CONTROL.test(value)
      );
    case "fingerprint":
      return typeof value === "string" && FINGERPRINT.test(value);
    case "sha256":
      return typeof value === "string" && SHA256.test(value);
    case "count":
      return typeof value === "number" && Number.isSafeInteger(value) && value >= shape.minimum;
    case "enum":
      return typeof value === "string" && shape.values.includes(value);
    case "flag":
      return typeof value === "boolean";
  }
}

/** What `shape` asks for, in words that fit behind "expected". */
export function describeShape(shape: Shape): string {
  switch (shape.form) {
    case "id":
      return `1 to ${ID_MAX_LENGTH} characters without control characters`;
    case "fingerprint":
      return "exactly 16 lower-case hexadecimal characters";
    case "sha256":
      return "exactly 64 lower-case hexadecimal characters";
    case "count":
      return `an integer of ${shape.minimum} or more`;
    case "enum":
      return `one of ${shape.values.join(", ")}`;
    case "flag":
      return "true or false";
  }
}
