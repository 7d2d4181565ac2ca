/**
 * The wire form of SSH (RFC 4251, section 5): strings that carry their length in front.
 *
 * @module
 */

import { decodeUtf8 } from "../text.ts";

/** Reads one field after the other. Every read gives `undefined` when the bytes are too few. */
export class SshReader {
  readonly #bytes: Buffer;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  raw(length: number): Uint8Array | undefined {
    const end = this.#offset + length;
    if (end > this.#bytes.length) return undefined;
    const part = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return part;
  }

  count(): number | undefined {
    const part = this.raw(4);
    return part === undefined ? undefined : Buffer.from(part).readUInt32BE(0);
  }

  string(): Uint8Array | undefined {
    const length = this.count();
    return length === undefined ? undefined : this.raw(length);
  }

  /** A string that is text in UTF-8. */
  utf8(): string | undefined {
    const part = this.string();
    return part === undefined ? undefined : decodeUtf8(part);
  }

  /** A number of 1 to `width` bytes without needless zeros, as `width` bytes. */
  positiveInteger(width: number): Uint8Array | undefined {
    const part = this.string();
    if (part === undefined || part.length === 0 || (part[0] ?? 0) >= 0x80) return undefined;
    const digits = part[0] === 0 ? part.subarray(1) : part;
    const needless = part[0] === 0 && (digits[0] ?? 0) < 0x80;
    if (needless || digits.length > width) return undefined;
    const bytes = new Uint8Array(width);
    bytes.set(digits, width - digits.length);
    return bytes;
  }

  get atEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }
}

/** A string with its length in front. */
export function sshString(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value as Uint8Array);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
