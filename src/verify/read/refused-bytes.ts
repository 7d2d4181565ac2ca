/**
 * Inputs that are not JSON text at all, told by their first bytes, with what to do about each.
 *
 * @module
 */

/** A kind of file that is refused before it is read as text. */
export interface RefusedBytes {
  readonly code: string;
  readonly message: string;
}

const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];
/** Bytes of the length that the collector's file exporter writes before each part. */
const LENGTH_PREFIX = 4;

const startsWith = (bytes: Uint8Array, ...magic: readonly number[]): boolean =>
  magic.every((byte, index) => bytes[index] === byte);

/** Why these first bytes cannot be the beginning of JSON text; `undefined` when they can. */
export function refuseBytes(bytes: Uint8Array): RefusedBytes | undefined {
  if (startsWith(bytes, 0x1f, 0x8b)) {
    return { code: "gzip", message: "the input is compressed with gzip: decompress it first" };
  }
  if (startsWith(bytes, ...ZSTD)) {
    return {
      code: "zstd",
      message: "the input is compressed with zstd: decompress it first, for example with zstd -d",
    };
  }
  if (startsWith(bytes.subarray(LENGTH_PREFIX), ...ZSTD)) {
    return {
      code: "zstd",
      message:
        "the input is compressed with zstd in parts, each behind its length, as the collector's file exporter does, which zstd -d cannot read: export without compression",
    };
  }
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) {
    return { code: "zip", message: "the input is a zip archive: unpack it first" };
  }
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff) || hasWideBrace(bytes)) {
    return {
      code: "utf-16",
      message: "the input is UTF-16 text (Windows PowerShell writes it with >): save it as UTF-8",
    };
  }
  if (looksBinary(bytes)) {
    return {
      code: "binary",
      message:
        "the input is binary, perhaps OTLP protobuf: export JSON instead (OTEL_EXPORTER_OTLP_PROTOCOL=http/json, or format: json in the collector's file exporter)",
    };
  }
  return undefined;
}

const hasWideBrace = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0 && (bytes[1] === 0x7b || bytes[1] === 0x5b)) ||
  ((bytes[0] === 0x7b || bytes[0] === 0x5b) && bytes[1] === 0);

// Protobuf starts with a field tag and a length, which are control characters more often than not.
function looksBinary(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 64);
  if (start.some((byte) => byte === 0x7b || byte === 0x5b)) {
    const brace = start.findIndex((byte) => byte === 0x7b || byte === 0x5b);
    return start.subarray(0, brace).includes(0);
  }
  return start.some((byte) => byte < 9 || (byte > 13 && byte < 30));
}
