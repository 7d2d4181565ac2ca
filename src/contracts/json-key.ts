/**
 * Equality of JSON values, as JSON Schema defines it: members in any order, and `1.0` is `1`.
 *
 * @module
 */
import type { JsonValue } from "./schema.ts";

/**
 * A text that two values share exactly when they are equal. Not the canonical text of the fingerprints, which has no answer
 * for an unpaired surrogate or an integer beyond 2^53 - 1.
 */
export function jsonKey(value: JsonValue): string {
  if (typeof value !== "object" || value === null) {
    return typeof value === "string" ? JSON.stringify(value) : String(value);
  }
  if (Array.isArray(value)) return `[${value.map(jsonKey).join()}]`;
  const object = value as { readonly [name: string]: JsonValue };
  return `{${Object.keys(object)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${jsonKey(object[name]!)}`)
    .join()}}`;
}

/** Values to be asked for. */
export class JsonSet {
  // Scalars as they are: asking for a text for every enum of every call took most of the time.
  readonly #scalars: ReadonlySet<JsonValue>;
  readonly #others: ReadonlySet<string>;

  constructor(values: readonly JsonValue[]) {
    this.#scalars = new Set(values.filter((value) => typeof value !== "object" || value === null));
    this.#others = new Set(
      values.filter((value) => typeof value === "object" && value !== null).map(jsonKey),
    );
  }

  has(value: JsonValue): boolean {
    return typeof value === "object" && value !== null
      ? this.#others.size > 0 && this.#others.has(jsonKey(value))
      : this.#scalars.has(value);
  }
}
