/**
 * minisign's public key: `Ed`, the key's number, the key; in base64, with or without the comment line above it.
 *
 * @module
 */
import { decodeBase64, linesOf } from "../text.ts";

const LENGTH = 2 + 8 + 32;

/** The key and its number; `undefined` when the text is no minisign public key. */
export function readMinisignKey(text: string): { number: Uint8Array; key: Uint8Array } | undefined {
  const lines = linesOf(text) ?? [];
  const bytes = decodeBase64(lines[0]?.startsWith("untrusted comment:") ? lines[1] : lines[0], "base64");
  if (bytes?.length !== LENGTH || bytes[0] !== 0x45 || bytes[1] !== 0x64) return undefined;
  return { number: bytes.slice(2, 10), key: bytes.slice(10) };
}
