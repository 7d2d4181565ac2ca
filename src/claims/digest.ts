/**
 * Digests of what a claim refers to. The whole SHA-256, not a fingerprint: here somebody may look for a second value
 * with the same digest on purpose.
 *
 * @module
 */
import { sha256 } from "#sha256";
import { prepareVolatileKeys, strictSha256 } from "../fingerprint/index.ts";

/** `sha256:` and 64 lower-case hexadecimal characters. */
export type Digest = `sha256:${string}`;

/** The form of a {@link Digest}. */
export const DIGEST_PATTERN = "^sha256:[0-9a-f]{64}$";

// An approval is for exactly these arguments.
const NOTHING_IS_VOLATILE = prepareVolatileKeys([]);

const FORM = new RegExp(DIGEST_PATTERN);

/** True for a text of the form of a digest. */
export function isDigest(value: unknown): value is Digest {
  return typeof value === "string" && value.length === 71 && FORM.test(value);
}

/** The digest of a text, such as a fetched page or a file, over its UTF-8 bytes. */
export function digestOfText(text: string): Digest {
  return `sha256:${sha256(text)}`;
}

/**
 * The digest of a JSON value, over its canonical text (RFC 8785): the order of members does not matter.
 *
 * @throws {CanonicalizationError} for what is no JSON value or is beyond the bounds of `canonicalJson`
 * @example
 * ```ts
 * import { digestOf } from "agent-reliability-otel-labels/claims";
 *
 * digestOf({ to: "a@example.com" }) === digestOf(JSON.parse('{"to":"a@example.com"}')); // true
 * ```
 */
export function digestOf(value: unknown): Digest {
  return `sha256:${strictSha256(value, NOTHING_IS_VOLATILE)}`;
}

/** {@link digestOf}, or `undefined` for what has no digest: an unresolved fact. */
export function digestIfAny(value: unknown): Digest | undefined {
  try {
    return digestOf(value);
  } catch {
    return undefined;
  }
}
