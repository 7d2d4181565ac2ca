/**
 * The one place where a signature meets the trusted keys.
 *
 * Every trusted key of the right kind is tried. The key id that a signature names is not authenticated, so it
 * never chooses; it only tells "signed by a stranger" from "changed after signing" when nothing verifies.
 *
 * @module
 */
import { verify } from "node:crypto";
import { placeIn } from "../instant.ts";
import { PolicyError } from "../policy-error.ts";
import type { TrustedKey } from "./keyring.ts";
import type { KeyAlgorithm } from "./public-key.ts";

/** One signature, as a format found it. */
export interface FoundSignature {
  /** The bytes that were signed. */
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
  /** How an ECDSA signature is written: ASN.1, or the two numbers one after the other. */
  readonly ecdsaEncoding: "der" | "ieee-p1363";
  /** The key id that the signature names. */
  readonly keyIdHint?: string | undefined;
}

/**
 * The key that verifies one of the signatures and is valid now.
 *
 * @param algorithms the kinds of key that the format takes
 * @param now milliseconds since the epoch
 * @throws PolicyError `algorithm_refused`, `key_expired`, `key_not_yet_valid`, `key_unknown`, `signature_invalid`
 */
export function verifyWithKeys(
  keys: readonly TrustedKey[],
  algorithms: readonly KeyAlgorithm[],
  signatures: readonly FoundSignature[],
  now: number,
): TrustedKey {
  const usable = keys.filter((key) => algorithms.includes(key.algorithm));
  if (usable.length === 0) {
    throw new PolicyError("algorithm_refused", "No trusted key is of a kind that this signature may have.");
  }
  const signers = usable.filter((key) => signatures.some((found) => fits(key, found)));
  const signer = signers.find((key) => placeIn(key.window, now) === "inside");
  if (signer !== undefined) return signer;
  if (signers[0] !== undefined) {
    const late = placeIn(signers[0].window, now) === "after";
    throw new PolicyError(late ? "key_expired" : "key_not_yet_valid");
  }
  throw new PolicyError(allByStrangers(keys, signatures) ? "key_unknown" : "signature_invalid");
}

function fits(key: TrustedKey, { message, signature, ecdsaEncoding }: FoundSignature): boolean {
  try {
    return key.algorithm === "ecdsa-p256"
      ? verify("sha256", message, { key: key.key, dsaEncoding: ecdsaEncoding }, signature)
      : verify(key.algorithm === "ed25519" ? null : "sha256", message, key.key, signature);
  } catch {
    // A signature that cannot even be decoded is one that does not fit.
    return false;
  }
}

function allByStrangers(keys: readonly TrustedKey[], signatures: readonly FoundSignature[]): boolean {
  const known = new Set(keys.map((key) => key.id));
  if (known.has(undefined)) return false;
  return signatures.every(({ keyIdHint }) => keyIdHint !== undefined && !known.has(keyIdHint));
}
