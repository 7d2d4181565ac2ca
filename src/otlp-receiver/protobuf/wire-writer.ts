/**
 * Just enough of protobuf's wire format to write an answer: messages of whole numbers, texts and messages.
 *
 * @module
 */
import { WIRE_TYPE } from "./wire-reader.ts";

/** The value of a field: a whole number of 0 or more, a text, or a message that was encoded before. */
export type FieldValue = number | string | Uint8Array;

/** A message from its fields. Zero and empty text are left out, as protobuf 3 leaves out its defaults. */
export function encodeMessage(fields: Readonly<Record<number, FieldValue | undefined>>): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [number, value] of Object.entries(fields)) {
    if (value === undefined || value === 0 || value === "") continue;
    if (typeof value === "number") {
      parts.push(varint(Number(number) * 8 + WIRE_TYPE.varint), varint(value));
    } else {
      const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
      parts.push(varint(Number(number) * 8 + WIRE_TYPE.delimited), varint(bytes.length), bytes);
    }
  }
  return new Uint8Array(Buffer.concat(parts));
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
