/**
 * JSON Web Signatures in the compact form (RFC 7515), for the three algorithms that a trusted key can fix.
 *
 * A library would bring the other twenty, `none` and the ones with shared secrets among them, only to have them
 * switched off again.
 *
 * @module
 */
import { isRecord } from "../config-reader.ts";
import type { TrustedKey } from "../keys/keyring.ts";
import type { KeyAlgorithm } from "../keys/public-key.ts";
import { verifyWithKeys } from "../keys/verify-with-keys.ts";
import { PolicyError } from "../policy-error.ts";
import { decodeBase64, decodeJson } from "../text.ts";

const ALGORITHMS: ReadonlyMap<unknown, KeyAlgorithm> = new Map([
  ["ES256", "ecdsa-p256"],
  ["RS256", "rsa-sha256"],
  ["EdDSA", "ed25519"],
  ["Ed25519", "ed25519"],
]);

/**
 * The payload of a token that a trusted key signed.
 *
 * @throws PolicyError `signature_malformed`, `algorithm_refused`, and what `verifyWithKeys` throws
 */
export function readCompactJws(token: unknown, keys: readonly TrustedKey[], now: number): unknown {
  const parts = typeof token === "string" ? token.split(".") : [];
  const [header, payload, signature] = parts.map((part) => decodeBase64(part, "base64url"));
  if (parts.length !== 3 || !header || !payload || !signature) return malformed();
  const fields = decodeJson(header);
  // `crit` names extensions that must be understood; none is.
  if (!isRecord(fields) || Object.hasOwn(fields, "crit")) return malformed();
  const algorithm = ALGORITHMS.get(fields.alg);
  if (algorithm === undefined) throw new PolicyError("algorithm_refused");
  const message = Buffer.from(parts.slice(0, 2).join("."));
  const keyIdHint = typeof fields.kid === "string" ? fields.kid : undefined;
  verifyWithKeys(keys, [algorithm], [{ message, signature, ecdsaEncoding: "ieee-p1363", keyIdHint }], now);
  return decodeJson(payload) ?? malformed();
}

function malformed(): never {
  throw new PolicyError("signature_malformed");
}
