/**
 * Just enough of protobuf's wire format to write an answer, and to add fields to a message of others.
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
    parts.push(
      typeof value === "number"
        ? varintField(Number(number), value)
        : delimitedField(Number(number), typeof value === "string" ? Buffer.from(value) : value),
    );
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** One field, also when it holds its default: in a `oneof` that says which it is. Negative numbers take 64 bits. */
export function varintField(number: number, value: number | bigint): Buffer {
  return Buffer.concat([varint(number * 8 + WIRE_TYPE.varint), varint(value)]);
}

/** One field: a text's UTF-8, bytes, or a message. */
export function delimitedField(number: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([varint(number * 8 + WIRE_TYPE.delimited), varint(bytes.length), bytes]);
}

/** One field of eight bytes that are there already. */
export function fixed64Field(number: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([varint(number * 8 + WIRE_TYPE.fixed64), bytes]);
}

/** A number, a tag or a length. */
export function varint(value: number | bigint): Buffer {
  // Tags, lengths and most values need no big integers, which cost several times as much.
  if (typeof value === "number" && value >= 0) return Buffer.from(smallVarint(value));
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Buffer.from([...bytes, Number(rest)]);
}

function smallVarint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return bytes;
}
