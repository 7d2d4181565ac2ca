/**
 * Protobuf's wire format: fields with a number, each one of four kinds. What the numbers mean is not known here.
 *
 * @module
 */
import { ProtobufError } from "./protobuf-error.ts";

/** How the value of a field is written. Groups, the two other kinds of old, are refused. */
export const WIRE_TYPE = { varint: 0, fixed64: 1, delimited: 2, fixed32: 5 } as const;

const START_GROUP = 3;
const END_GROUP = 4;
const LONGEST_VARINT = 10;

/** Reads one field after another, never past `end`. */
export class WireReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at: number;
  #end: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = 0;
    this.#end = bytes.length;
  }

  /** Where the next read starts. */
  get offset(): number {
    return this.#at;
  }

  /** True when the part that is read is at its end. */
  get done(): boolean {
    return this.#at === this.#end;
  }

  /** Goes into the message that comes next. What it gives back is for {@link leave}. */
  enter(): number {
    const around = this.#end;
    const start = this.delimited();
    this.#end = this.#at;
    this.#at = start;
    return around;
  }

  /** Back to the message around, once the inner one is done. */
  leave(around: number): void {
    this.#end = around;
  }

  /** The next field: its number times eight, and its wire type. */
  tag(): number {
    const start = this.#at;
    const tag = this.#count();
    const type = tag % 8;
    if (type === START_GROUP || type === END_GROUP) throw new ProtobufError("group", start);
    if (type > WIRE_TYPE.fixed32 || tag < 8 || tag > 0xffff_ffff) throw new ProtobufError("malformed", start);
    return tag;
  }

  /** Unsigned, 64 bits. */
  varint(): bigint {
    const start = this.#at;
    // Nearly every value fits into four bytes, and those need no big integers.
    let small = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte();
      small |= (byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt(small);
    }
    let value = BigInt(small);
    for (let count = 4; count < LONGEST_VARINT; count += 1) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << BigInt(count * 7);
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new ProtobufError("malformed", start);
  }

  fixed32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  fixed64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  double(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  /** Passes over a string, bytes or a message: its start, and its end is the new offset. */
  delimited(): number {
    return this.#take(this.#count());
  }

  /** Passes over the value of a field. */
  skip(wireType: number): void {
    if (wireType === WIRE_TYPE.varint) this.varint();
    else if (wireType === WIRE_TYPE.fixed64) this.#take(8);
    else if (wireType === WIRE_TYPE.fixed32) this.#take(4);
    else this.delimited();
  }

  // A tag or a length: never longer than 32 bits, which are five bytes.
  #count(): number {
    const start = this.#at;
    let value = 0;
    let factor = 1;
    for (let count = 0; count < 5; count += 1) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    throw new ProtobufError("malformed", start);
  }

  #byte(): number {
    return this.#bytes[this.#take(1)] as number;
  }

  #take(length: number): number {
    const start = this.#at;
    if (length > this.#end - start) throw new ProtobufError("truncated", start);
    this.#at = start + length;
    return start;
  }
}
