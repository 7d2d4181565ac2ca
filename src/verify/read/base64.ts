/**
 * Base64 as OTLP JSON has it: standard or URL-safe alphabet, padded or not. `atob` knows the standard one only, and
 * `Buffer` is not everywhere.
 *
 * @module
 */

const VALUES = new Int8Array(128).fill(-1);
for (const [index, letter] of [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
].entries()) {
  VALUES[letter.charCodeAt(0)] = index;
}
VALUES["-".charCodeAt(0)] = 62;
VALUES["_".charCodeAt(0)] = 63;

/** The bytes, or `undefined` when `text` is not base64. */
export function decodeBase64(text: string): Uint8Array | undefined {
  let length = text.length;
  while (length > 0 && length > text.length - 2 && text.charCodeAt(length - 1) === 61) length -= 1;
  if (length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  let at = 0;
  let bits = 0;
  let held = 0;
  for (let index = 0; index < length; index += 1) {
    const code = text.charCodeAt(index);
    const value = code < 128 ? (VALUES[code] as number) : -1;
    if (value < 0) return undefined;
    held = ((held << 6) | value) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at] = (held >> bits) & 0xff;
      at += 1;
    }
  }
  return bytes;
}
