/**
 * SHA-256 in plain JavaScript, for runtimes without `node:crypto`. Chosen as `#sha256` there; `node.ts` has the
 * same exports. Web Crypto is no way out: its digest is a promise, and a label is written before the tool runs.
 *
 * @module
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 as nobleSha256 } from "@noble/hashes/sha2.js";
import { hexOf } from "../../attributes/hex.ts";
import type { Sha256Stream } from "./stream.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** SHA-256 over the UTF-8 bytes of a well-formed `text`: 64 lower-case hexadecimal characters. */
export function sha256(text: string): string {
  return hexOf(nobleSha256(bytesOf(text)));
}

/** Starts a SHA-256 over the UTF-8 bytes of pieces of text; with a key, an HMAC-SHA-256. */
export function sha256Stream(key?: Uint8Array): Sha256Stream {
  const running = key === undefined ? nobleSha256.create() : hmac.create(nobleSha256, key);
  return {
    update: (piece) => {
      running.update(bytesOf(piece));
    },
    digest: () => hexOf(running.digest()),
  };
}
