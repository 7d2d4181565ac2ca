/**
 * A copy of arguments that is only data: read once, bounded, made of arrays and plain objects that nobody else holds. What
 * is validated is then what the tool gets, whatever a getter or a proxy says the second time.
 *
 * @module
 */
import { isPlain } from "../fingerprint/prototypes.ts";
import { setOwn } from "../fingerprint/set-own.ts";
import { MAX_DEPTH, MAX_NODES, MAX_TEXT_LENGTH } from "./bounds.ts";
import type { JsonValue } from "./schema.ts";

/** Why there is no copy: a keyword of a problem, and what would be allowed. */
export class DataFault extends Error {
  // Recognised by a private field: `instanceof` would run the code of a proxy that was thrown.
  readonly #own = true;
  readonly keyword: "json" | "limit";
  readonly expected: string;

  constructor(keyword: "json" | "limit", expected: string) {
    super(expected);
    this.keyword = keyword;
    this.expected = expected;
  }

  static is(thrown: unknown): thrown is DataFault {
    return typeof thrown === "object" && thrown !== null && #own in thrown;
  }
}

export const tooLarge = (): DataFault =>
  new DataFault(
    "limit",
    `at most ${MAX_DEPTH} levels, ${MAX_NODES} values and ${MAX_TEXT_LENGTH} characters of text`,
  );

/**
 * Copies `value`. Members that are `undefined` are left out, as JSON would.
 *
 * @throws DataFault, and whatever a getter or a proxy in it throws
 */
export function copyData(value: unknown): JsonValue {
  return copyArguments(value).copy;
}

/** {@link copyData}, which also tells whether there is a `null` in it: most arguments have none to look for. */
export function copyArguments(value: unknown): { readonly copy: JsonValue; readonly hasNull: boolean } {
  const copier = new Copier();
  const copy = copier.copy(value, 0);
  return { copy, hasNull: copier.hasNull };
}

class Copier {
  hasNull = false;
  #nodes = 0;
  #textLength = 0;

  copy(value: unknown, depth: number): JsonValue {
    if (++this.#nodes > MAX_NODES) throw tooLarge();
    switch (typeof value) {
      case "string":
        this.#count(value);
        return value;
      case "boolean":
        return value;
      case "number":
        if (Number.isFinite(value)) return value;
        break;
      case "object":
        if (value === null) {
          this.hasNull = true;
          return null;
        }
        if (depth >= MAX_DEPTH) throw tooLarge();
        if (Array.isArray(value)) return this.#array(value, depth);
        if (isPlain(value)) return this.#object(value, depth);
    }
    throw new DataFault("json", "JSON data");
  }

  #array(array: readonly unknown[], depth: number): JsonValue {
    const length = array.length;
    if (!(length <= MAX_NODES)) throw tooLarge();
    const copy: JsonValue[] = [];
    for (let index = 0; index < length; index++) copy.push(this.copy(array[index], depth + 1));
    return copy;
  }

  #object(object: object, depth: number): JsonValue {
    const copy: { [name: string]: JsonValue } = {};
    for (const name of Object.keys(object)) {
      this.#count(name);
      const value = (object as Readonly<Record<string, unknown>>)[name];
      if (value !== undefined) setOwn(copy, name, this.copy(value, depth + 1));
    }
    return copy;
  }

  #count(text: string): void {
    this.#textLength += text.length;
    if (this.#textLength > MAX_TEXT_LENGTH) throw tooLarge();
  }
}
