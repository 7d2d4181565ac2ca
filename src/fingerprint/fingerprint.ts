/**
 * Fingerprints: the first 16 hexadecimal characters of the SHA-256 of a canonical text, or of its HMAC-SHA-256.
 *
 * @module
 */
import { sha256, sha256Stream } from "#sha256";
import { canonicalText } from "./canonical-text.ts";
import type { FingerprintKey } from "./fingerprint-key.ts";
import type { Form } from "./form.ts";
import { type FingerprintOptions, volatileKeysIn } from "./options.ts";
import type { Sha256Stream } from "./sha256/stream.ts";
import { strictForm } from "./strict-form.ts";
import type { VolatileKeys } from "./volatile-keys.ts";
import { wireForm } from "./wire-form.ts";

/** Characters of a fingerprint: 64 bits. */
const LENGTH = 16;

/**
 * The fingerprint of a JSON value: equal values have equal ones, whatever the order of their members, and volatile
 * members do not matter. 16 lower-case hexadecimal characters, the same in every language.
 *
 * A fingerprint of a value that can be guessed can be guessed too: it is a pseudonym, not anonymous.
 * A top-level `undefined` is `null`.
 *
 * @throws {CanonicalizationError} when the value is no JSON value or is beyond the bounds
 *
 * @example
 * ```ts
 * import { canonicalFp } from "agent-reliability-otel-labels";
 *
 * canonicalFp({ from: "SFO", to: "JFK", date: "2026-10-01" }); // c1baebf63d8d7587
 * ```
 */
export function canonicalFp(value: unknown, options?: FingerprintOptions | number): string {
  return strictFp(value, volatileKeysIn(options));
}

/** {@link canonicalFp} with a prepared list, and keyed if there is a key. */
export function strictFp(value: unknown, volatile: VolatileKeys, key?: FingerprintKey): string {
  return canonicalSha256(value, volatile, strictForm, key).slice(0, LENGTH);
}

/** The fingerprint of what `JSON.stringify` would send for `value`. Equal to the strict one wherever there is one. */
export function wireFp(value: unknown, volatile: VolatileKeys, key?: FingerprintKey): string {
  return canonicalSha256(value, volatile, wireForm, key).slice(0, LENGTH);
}

/** The whole SHA-256 of the canonical text of a JSON value: 64 lower-case hexadecimal characters. */
export function strictSha256(value: unknown, volatile: VolatileKeys): string {
  return canonicalSha256(value, volatile, strictForm);
}

function canonicalSha256(value: unknown, volatile: VolatileKeys, form: Form, key?: FingerprintKey): string {
  let stream: Sha256Stream | undefined = key?.hmacStream();
  const rest = canonicalText(value, volatile, form, (piece) => {
    stream ??= sha256Stream();
    stream.update(piece);
  });
  if (stream === undefined) return sha256(rest);
  stream.update(rest);
  return stream.digest();
}
