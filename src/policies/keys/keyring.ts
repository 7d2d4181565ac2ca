/**
 * The keyring: the public keys that a deployment trusts, and from when to when.
 *
 * @module
 */
import { hasShape } from "../../attributes/shapes.ts";
import { isRecord } from "../config-reader.ts";
import { parseInstant, type Window } from "../instant.ts";
import { PolicyError } from "../policy-error.ts";
import { decodeJson } from "../text.ts";
import { type PublicKey, parsePublicKey } from "./public-key.ts";

/** One key of a {@link Keyring}. */
export interface KeyringEntry {
  /** Name of the key, unique in the keyring. A signature that names it gives a hint and nothing more. */
  readonly id: string;
  /** PEM, base64 of 32 raw Ed25519 bytes, an OpenSSH `.pub` line, or minisign's public key. */
  readonly public_key: string;
  /** First moment at which the key is trusted, as RFC 3339 date and time with a zone. Open when left out. */
  readonly not_before?: string;
  /** Last moment at which the key is trusted. Open when left out. */
  readonly not_after?: string;
}

/** The keys that a deployment trusts: the content of a keyring file. */
export interface Keyring {
  /** 1 to 64 keys. */
  readonly keys: readonly KeyringEntry[];
}

/** A key that may verify, and when. */
export interface TrustedKey extends PublicKey {
  /** `undefined` for a key that came alone, in a file of its own. */
  readonly id: string | undefined;
  readonly window: Window;
}

// A keyring holds the keys of today and of the next rotation. Every key is tried, so their number bounds the time.
const MAX_KEYS = 64;
const FIELDS: ReadonlySet<string> = new Set(["id", "public_key", "not_before", "not_after"]);

/** @throws PolicyError `trust_root_invalid` */
export function parseKeyring(bytes: Uint8Array): readonly TrustedKey[] {
  return readKeyring(decodeJson(bytes));
}

/** @throws PolicyError `trust_root_invalid` */
export function readKeyring(keyring: unknown): readonly TrustedKey[] {
  if (!isRecord(keyring) || Object.keys(keyring).length !== 1) return refuse('It is no { "keys": [...] }.');
  const entries = keyring.keys;
  if (!Array.isArray(entries) || entries.length === 0 || entries.length > MAX_KEYS) {
    return refuse(`A keyring holds 1 to ${MAX_KEYS} keys.`);
  }
  const keys = entries.map(readEntry);
  if (new Set(keys.map((key) => key.id)).size !== keys.length) return refuse("Two keys have one id.");
  return keys;
}

/** A key without a name and without an end, as a file of its own holds it. */
export function readSingleKey(text: string): readonly TrustedKey[] {
  return [{ ...parsePublicKey(text), id: undefined, window: { from: undefined, to: undefined } }];
}

function readEntry(entry: unknown): TrustedKey {
  if (!isRecord(entry)) return refuse("A key is no object.");
  const { id, public_key: text, not_before: from, not_after: to } = entry;
  if (!hasShape({ form: "id" }, id) || typeof text !== "string") return refuse("A key has no id or no text.");
  // A mistyped `not_after` would be a key that never expires.
  if (Object.keys(entry).some((field) => !FIELDS.has(field))) return refuse("A key has an unknown field.");
  const window = { from: readEdge(from), to: readEdge(to) };
  return { ...parsePublicKey(text), id: id as string, window };
}

function readEdge(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  return (
    parseInstant(value) ?? refuse("A key's `not_before` or `not_after` is no date and time with a zone.")
  );
}

function refuse(detail: string): never {
  throw new PolicyError("trust_root_invalid", detail);
}
