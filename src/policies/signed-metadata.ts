/**
 * What a signature says about the policy beside its bytes, held against what the deployment configured.
 *
 * Without this a signed policy of last year, or of another service, would pass: it is authentic.
 *
 * @module
 */
import { isRecord } from "./config-reader.ts";
import { parseInstant, placeIn } from "./instant.ts";
import type { PolicyExpectation } from "./policy-config.ts";
import { PolicyError } from "./policy-error.ts";

/** The metadata that a signature covers. What it does not cover is `undefined`. */
export interface SignedMetadata {
  readonly id?: string | undefined;
  readonly version?: string | undefined;
  readonly type?: string | undefined;
  readonly scope?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly notBefore?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number | undefined;
}

/**
 * Picks the metadata out of a signed document. Both spellings of the two dates count: a date under a name that
 * is not looked at would be a policy that never ends.
 *
 * @throws PolicyError `metadata_mismatch` when a field has a wrong type, or is there in both spellings
 */
export function metadataOf(document: unknown): SignedMetadata {
  if (!isRecord(document)) return mismatch("The signed metadata is no object.");
  const field = (...names: readonly string[]): unknown => {
    const present = names.filter((name) => Object.hasOwn(document, name));
    if (present.length > 1) mismatch("A signed field is there twice, in two spellings.");
    return present[0] === undefined ? undefined : document[present[0]];
  };
  return {
    id: text(field("id")),
    version: text(Object.hasOwn(document, "policy_revision") ? document.policy_revision : field("version")),
    type: text(field("type")),
    scope: text(field("scope")),
    notBefore: instant(field("not_before", "notBefore")),
    expiresAt: instant(field("expires_at", "expiresAt")),
  };
}

/**
 * Holds the signed metadata against the configuration, and both windows of validity against the clock.
 *
 * @returns whether the signature covers the policy's id and version
 * @throws PolicyError `metadata_mismatch`, `metadata_missing`, `expired`, `not_yet_valid`
 */
export function checkMetadata(
  signed: SignedMetadata,
  expected: PolicyExpectation,
  mustBeSigned: boolean,
  now: number,
): boolean {
  for (const name of ["id", "version", "type", "scope", "notBefore", "expiresAt"] as const) {
    const differs = signed[name] !== undefined && signed[name] !== expected[name];
    // A deployment that does not state the dates takes the signed ones. A scope it must state: it is not for any.
    const stated = expected[name] !== undefined || name === "scope";
    if (differs && stated) mismatch(`The differing field is the ${name}.`);
  }
  const covered = signed.id !== undefined && signed.version !== undefined;
  if (mustBeSigned && !covered) throw new PolicyError("metadata_missing");
  if (expected.scope !== undefined && signed.scope === undefined) {
    throw new PolicyError("metadata_missing", "The configured scope is not signed either.");
  }
  for (const { notBefore, expiresAt } of [signed, expected]) {
    const place = placeIn({ from: notBefore, to: expiresAt }, now);
    if (place !== "inside") throw new PolicyError(place === "after" ? "expired" : "not_yet_valid");
  }
  return covered;
}

function text(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string") return value;
  return Number.isSafeInteger(value) ? String(value) : mismatch("A signed field is no text.");
}

function instant(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  return parseInstant(value) ?? mismatch("A signed date is no date and time with a zone.");
}

function mismatch(detail: string): never {
  throw new PolicyError("metadata_mismatch", detail);
}
