/**
 * The exact text that is hashed, the plain way: a checked copy without volatile members, which
 * fast-json-stable-stringify writes. It sorts by UTF-16 code units and writes scalars as `JSON.stringify` does, which
 * is all that RFC 8785 asks of a value that the copy has let through.
 *
 * @module
 */
import stableStringify from "fast-json-stable-stringify";
import { canonicalText } from "./canonical-text.ts";
import type { Form } from "./form.ts";
import { inertCopy } from "./inert-copy.ts";
import { type FingerprintOptions, volatileKeysIn } from "./options.ts";
import { strictForm } from "./strict-form.ts";
import type { VolatileKeys } from "./volatile-keys.ts";
import { wireForm } from "./wire-form.ts";

/**
 * The canonical text of a JSON value: RFC 8785 (JCS), without volatile members. Its SHA-256 is the fingerprint.
 *
 * For reading, and for comparing languages. A top-level `undefined` is `null`.
 *
 * @throws {CanonicalizationError} when the value is no JSON value or is beyond the bounds
 *
 * @example
 * ```ts
 * import { canonicalJson } from "agent-reliability-otel-labels";
 *
 * canonicalJson({ to: "JFK", from: "SFO", request_id: "r-1" }); // {"from":"SFO","to":"JFK"}
 * ```
 */
export function canonicalJson(value: unknown, options?: FingerprintOptions | number): string {
  return textOf(value, volatileKeysIn(options), strictForm);
}

/** The canonical text of what `JSON.stringify` would send for `value`. */
export function wireJson(value: unknown, volatile: VolatileKeys): string {
  return textOf(value, volatile, wireForm);
}

/**
 * The value without its volatile members, at every depth: a copy of arrays and plain objects that shares nothing
 * with `value`. A top-level `undefined` is `null`.
 *
 * @throws {CanonicalizationError} when the value is no JSON value or is beyond the bounds
 *
 * @example
 * ```ts
 * import { stripVolatile } from "agent-reliability-otel-labels";
 *
 * stripVolatile({ order: "A-17", created_at: "2026-11-01", lines: [{ uuid: "…", count: 2 }] });
 * // { order: "A-17", lines: [ { count: 2 } ] }
 * ```
 */
export function stripVolatile(value: unknown, options?: FingerprintOptions | number): unknown {
  return inertCopy(value, volatileKeysIn(options), strictForm);
}

function textOf(value: unknown, volatile: VolatileKeys, form: Form): string {
  const copy = inertCopy(value, volatile, form);
  try {
    if (!hasInheritedToJson()) return stableStringify(copy);
  } catch {
    // It recurses, and the caller may have left it little of the native stack.
  }
  return writtenText(copy, volatile);
}

// fast-json-stable-stringify calls every `toJSON` that it can reach, also on strings and numbers.
function hasInheritedToJson(): boolean {
  return [{}, [], "", 0, false].some((value) => (value as { toJSON?: unknown }).toJSON !== undefined);
}

function writtenText(copy: unknown, volatile: VolatileKeys): string {
  let text = "";
  const rest = canonicalText(copy, volatile, strictForm, (piece) => {
    text += piece;
  });
  return text + rest;
}
