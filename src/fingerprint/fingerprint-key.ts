/**
 * The key of keyed fingerprints: a value that computes with its bytes and shows them to nobody.
 *
 * @module
 */
import { sha256Stream } from "#sha256";
import type { Sha256Stream } from "./sha256/stream.ts";

/** Fewest bytes of a key: as many as the hash gives. Fewer could be guessed together with the value. */
const MIN_BYTES = 32;
const EXPECTED = `"key" of "fingerprint" expected a Uint8Array of ${MIN_BYTES} bytes or more`;

/** A key that was checked. */
export class FingerprintKey {
  // A private field is what no `inspect`, JSON, spread or clone reaches.
  readonly #bytes: Uint8Array;

  /**
   * Copies the bytes, so that the caller may overwrite its own.
   *
   * @throws TypeError when `bytes` is no Uint8Array, RangeError when it has fewer than 32 bytes
   */
  constructor(bytes: Uint8Array) {
    // By its tag, since a Uint8Array of another realm is one too.
    if (!ArrayBuffer.isView(bytes) || bytes[Symbol.toStringTag] !== "Uint8Array")
      throw new TypeError(EXPECTED);
    this.#bytes = new Uint8Array(bytes);
    if (this.#bytes.length < MIN_BYTES) throw new RangeError(EXPECTED);
  }

  /** Starts an HMAC-SHA-256 with the key. */
  hmacStream(): Sha256Stream {
    return sha256Stream(this.#bytes);
  }
}
