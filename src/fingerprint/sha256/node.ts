/**
 * SHA-256 by `node:crypto`. Chosen as `#sha256` where the runtime is Node; `portable.ts` has the same exports.
 *
 * @module
 */
import { createHash, createHmac, hash } from "node:crypto";
import type { Sha256Stream } from "./stream.ts";

/** SHA-256 over the UTF-8 bytes of a well-formed `text`: 64 lower-case hexadecimal characters. */
export function sha256(text: string): string {
  // The one-shot function makes no Hash object, which is most of the time for a short text.
  return hash("sha256", text, "hex");
}

/** Starts a SHA-256 over the UTF-8 bytes of pieces of text; with a key, an HMAC-SHA-256. */
export function sha256Stream(key?: Uint8Array): Sha256Stream {
  const running = key === undefined ? createHash("sha256") : createHmac("sha256", key);
  return {
    update: (piece) => {
      running.update(piece, "utf8");
    },
    digest: () => running.digest("hex"),
  };
}
