/**
 * Why a value has no canonical text, said without the value: a code, and where by position.
 *
 * @module
 */
import { TrustablError } from "../errors.ts";

/** What was wrong, for people. The codes are the contract; the words may change. */
const MEANINGS = {
  array_hole: "hole in an array",
  cycle: "cycle",
  not_finite: "number that is not finite",
  not_json: "not a JSON value",
  symbol_key: "symbol as a key",
  too_deep: "more than 1,000 levels",
  too_long: "canonical text of more than 16 Mi characters",
  too_many_nodes: "more than 1,000,000 nodes",
  unpaired_surrogate: "unpaired surrogate",
  unreadable: "a getter, a proxy or toJSON threw",
  unsafe_integer: "integer beyond 2^53 - 1",
} as const;

/** Why a value has no canonical text. */
export type CanonicalizationErrorCode = keyof typeof MEANINGS;

/** Every code, in alphabetical order. */
export const CANONICALIZATION_ERROR_CODES = Object.freeze(
  Object.keys(MEANINGS) as CanonicalizationErrorCode[],
);

// A path can have a thousand positions; a message is one line.
const POSITIONS_SHOWN = 16;

function place(path: readonly number[]): string {
  if (path.length === 0) return "at the top";
  const shown = path.slice(0, POSITIONS_SHOWN).join(".");
  return `at position ${shown}${path.length > POSITIONS_SHOWN ? ` and ${path.length - POSITIONS_SHOWN} levels below` : ""}`;
}

/**
 * Thrown by `canonicalJson`, `canonicalFp` and `stripVolatile`, and nothing else is.
 *
 * Holds no part of the value: neither message nor fields have a key, a text or a number of it.
 *
 * @example
 * ```ts
 * import { CanonicalizationError, canonicalFp } from "agent-reliability-otel-labels";
 *
 * try {
 *   canonicalFp({ to: "JFK", passengers: [{ age: Number.NaN }] });
 * } catch (error) {
 *   if (error instanceof CanonicalizationError) console.log(error.code, error.path); // not_finite [ 1, 0, 0 ]
 * }
 * ```
 */
export class CanonicalizationError extends TrustablError<CanonicalizationErrorCode> {
  /**
   * Where: one number per level, from the top. The index of an array element, or the place of a member among
   * the enumerable keys of its object, in the object's own order. Empty for the top value.
   */
  readonly path: readonly number[];

  /** `kind` is one of the fixed words of this package ("Map", "function"), never text of the value. */
  constructor(code: CanonicalizationErrorCode, path: readonly number[], kind?: string) {
    const what = kind === undefined ? MEANINGS[code] : `${MEANINGS[code]} (${kind})`;
    super(code, `cannot be canonicalised: ${what} ${place(path)}`);
    this.path = Object.freeze(path.slice());
  }
}

Object.defineProperty(CanonicalizationError.prototype, "name", {
  value: "CanonicalizationError",
  configurable: true,
  writable: true,
});
