/**
 * Hexadecimal text, which is the form of every id and hash in a label.
 *
 * @module
 */

/** Two lower-case characters for each byte. */
export function hexOf(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += byte.toString(16).padStart(2, "0");
  return hex;
}

/**
 * A random id of `2 * bytes` characters. Not `crypto.randomUUID`, which browsers have in secure contexts only: ids are made
 * inside tools, where nothing of ours may throw.
 */
export function randomId(bytes: number): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(bytes)));
}
