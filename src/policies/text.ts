/**
 * Strict decoding. Each of these refuses what a lenient decoder would repair, because two inputs that decode to
 * the same bytes are two signatures that look different and verify alike.
 *
 * @module
 */
import { TextDecoder } from "node:util";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of UTF-8 bytes; `undefined` when they are not UTF-8 or begin with a byte order mark. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    const text = utf8.decode(bytes);
    return text.startsWith("\uFEFF") ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The value of JSON bytes; `undefined` when they are not JSON in UTF-8. */
export function decodeJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The bytes of canonical base64: the one spelling that encoding them again gives. `base64` is padded,
 * `base64url` is not.
 */
export function decodeBase64(text: unknown, variant: "base64" | "base64url"): Uint8Array | undefined {
  if (typeof text !== "string") return undefined;
  const bytes = Buffer.from(text, variant);
  return bytes.toString(variant) === text ? new Uint8Array(bytes) : undefined;
}

/** The bytes of a file that is one line of canonical base64 and nothing else. */
export function decodeBase64Line(file: Uint8Array): Uint8Array | undefined {
  const text = decodeUtf8(file);
  const lines = text === undefined ? undefined : linesOf(text);
  return lines?.length === 1 ? decodeBase64(lines[0], "base64") : undefined;
}

/** The lines of a text that ends with at most one line feed; `undefined` where a carriage return stands alone. */
export function linesOf(text: string): string[] | undefined {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines.some((line) => line.includes("\r")) ? undefined : lines;
}
