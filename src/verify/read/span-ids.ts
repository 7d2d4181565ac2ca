/**
 * Trace and span ids in one spelling, whichever way an exporter wrote them.
 *
 * @module
 */
import { hexOf } from "../../attributes/hex.ts";
import { decodeBase64 } from "./base64.ts";

/** Longest id of another form that is kept. */
const OPAQUE_MAX_LENGTH = 128;
const HEX = /^[0-9a-f]+$/;
const ANY_HEX = /^[0-9a-fA-F]+$/;
const ZEROS = /^0*$/;

/**
 * The id in lower-case hexadecimal characters. OTLP JSON says hexadecimal; protobuf's own JSON mapping, Tempo and
 * some collectors say base64. The two never have the same length, so the length decides. Ids of another form
 * are kept as they came, since they still tell spans apart.
 *
 * @param bytes 16 for a trace id, 8 for a span id
 * @returns `undefined` for what is no id: another type, an empty text, zeros only
 */
export function readSpanId(value: unknown, bytes: 8 | 16): string | undefined {
  if (typeof value !== "string") return undefined;
  const { length } = value;
  if (length === bytes * 2 && HEX.test(value)) return ZEROS.test(value) ? undefined : value;
  if (length === 0 || length > OPAQUE_MAX_LENGTH) return undefined;
  if (length === bytes * 2 && ANY_HEX.test(value)) return readSpanId(value.toLowerCase(), bytes);
  const packed = Math.ceil((bytes * 4) / 3);
  if (length === packed || length === Math.ceil(bytes / 3) * 4) {
    const decoded = decodeBase64(value);
    if (decoded?.length === bytes) return readSpanId(hexOf(decoded), bytes);
  }
  return ZEROS.test(value) ? undefined : value;
}
