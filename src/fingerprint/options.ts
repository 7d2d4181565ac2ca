/**
 * What callers may ask of a fingerprint.
 *
 * @module
 */
import { prepareVolatileKeys, type VolatileKeys } from "./volatile-keys.ts";

/** Options of `canonicalJson`, `canonicalFp` and `stripVolatile`. */
export interface FingerprintOptions {
  /**
   * Keys of members that are left out, at every depth, instead of the shared list. Compared after lower-casing.
   * An empty list leaves nothing out.
   */
  readonly volatileKeys?: Iterable<string>;
}

/**
 * The prepared list that `options` asks for. Anything but an object is no options: in `values.map(canonicalFp)` the
 * second argument is an index.
 */
export function volatileKeysIn(options: FingerprintOptions | number | undefined): VolatileKeys {
  // Own members only: a fingerprint must not change because somebody wrote to Object.prototype.
  const isGiven = typeof options === "object" && options !== null && Object.hasOwn(options, "volatileKeys");
  return prepareVolatileKeys(isGiven ? options.volatileKeys : undefined);
}
