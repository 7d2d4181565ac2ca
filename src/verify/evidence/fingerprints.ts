/**
 * Comparing a fingerprint label with what the framework captured.
 *
 * @module
 */
import { FingerprintKey, prepareVolatileKeys, wireFp } from "../../fingerprint/index.ts";
import type { VerifySettings } from "../options.ts";
import type { Captured } from "./captured.ts";
import { looksTruncated } from "./interpretations.ts";

/**
 * - `same`: the label is the fingerprint of what was captured
 * - `different`: it is not
 * - `near`: it is not, but what was captured is only near what the tool function got or gave
 * - `unkeyed`: it is, but made without the key that it was to be made with
 * - `keyed`: it was made with a key that is not known, or so it is said
 * - `truncated`, `refused`: what was captured was cut, or has no fingerprint
 * - `not-captured`, `no-label`: one of the two is missing
 */
export type Comparison =
  | "same"
  | "different"
  | "near"
  | "unkeyed"
  | "keyed"
  | "truncated"
  | "refused"
  | "not-captured"
  | "no-label";

/** How the label compares, and the fingerprint of the likeliest reading of what was captured. */
export interface FingerprintComparison {
  readonly comparison: Comparison;
  readonly capturedFp: string | undefined;
}

/** Recomputes fingerprints with the volatile keys, and the key, that the labels were made with. */
export class FingerprintComparer {
  readonly #volatile: ReturnType<typeof prepareVolatileKeys>;
  readonly #isKeyed: boolean;
  readonly #key: FingerprintKey | undefined;

  constructor({ volatileKeys, fingerprint }: Pick<VerifySettings, "volatileKeys" | "fingerprint">) {
    this.#volatile = prepareVolatileKeys(volatileKeys);
    this.#isKeyed = fingerprint !== undefined;
    this.#key = fingerprint instanceof FingerprintKey ? fingerprint : undefined;
  }

  /**
   * @param label the fingerprint on the span; `undefined` when it has none, or one of the wrong form
   * @param valuesOf what the captured content can stand for, likeliest first
   */
  compare(
    label: string | undefined,
    captured: Captured | undefined,
    valuesOf: (captured: Captured) => Iterable<unknown>,
  ): FingerprintComparison {
    if (captured === undefined) {
      return { comparison: label === undefined ? "no-label" : "not-captured", capturedFp: undefined };
    }
    // The likeliest reading first; the others are made only when it does not fit.
    const likeliest = captured.value === undefined ? captured.content : captured.value;
    const capturedFp = this.#of(likeliest, this.#key);
    if (label === undefined) {
      return { comparison: capturedFp === undefined ? "refused" : "no-label", capturedFp };
    }
    const same = this.#isKeyed && this.#key === undefined ? "unkeyed" : "same";
    if (capturedFp === label) return { comparison: same, capturedFp };
    let refused = false;
    for (const value of valuesOf(captured)) {
      const fingerprint = this.#of(value, this.#key);
      if (fingerprint === label) return { comparison: same, capturedFp };
      if (this.#key !== undefined && this.#of(value) === label) return { comparison: "unkeyed", capturedFp };
      refused ||= fingerprint === undefined;
    }
    return { comparison: same === "unkeyed" ? "keyed" : mismatch(captured, refused), capturedFp };
  }

  // `undefined` for a value that has no fingerprint, such as an integer that JSON numbers cannot hold exactly.
  #of(value: unknown, key?: FingerprintKey): string | undefined {
    try {
      return wireFp(value, this.#volatile, key);
    } catch {
      return undefined;
    }
  }
}

function mismatch(captured: Captured, refused: boolean): Comparison {
  if (looksTruncated(captured)) return "truncated";
  if (refused) return "refused";
  return captured.exact ? "different" : "near";
}
