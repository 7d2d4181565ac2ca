/**
 * The two readings of a value, as one interface: the strict one (JSON values only) and the wire one (what
 * `JSON.stringify` would send). The walks ask it only where the two differ.
 *
 * @module
 */

export interface Form {
  /** Whether members that are `undefined` are left out; otherwise they are refused. */
  readonly dropsUndefined: boolean;
  /**
   * What stands in the text for an object, a function or a bigint. An object that comes back is an array, or is
   * read by its own enumerable members; `undefined` is no value.
   *
   * @throws {Refusal} when nothing stands for it
   */
  readonly resolve: (value: object | bigint, key: string | number) => unknown;
  /**
   * The keys of an object's members, in its own order.
   *
   * @throws {Refusal} when the object has members that no text can have
   */
  readonly keysOf: (object: object) => readonly string[];
}

/** True for a value on which `JSON.stringify` looks for a `toJSON`. */
export function isCompound(value: unknown): value is object | bigint {
  return (
    (typeof value === "object" && value !== null) || typeof value === "function" || typeof value === "bigint"
  );
}
