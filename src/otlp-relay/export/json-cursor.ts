/**
 * Finding one's way in JSON without changing it: where a value begins and ends, in bytes. Only for text that
 * `JSON.parse` has taken: nothing is judged here.
 *
 * Bytes and not text, so that also what is not UTF-8 is forwarded as it came.
 *
 * @module
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Walks over one JSON text. It stands before a value, or after it. */
export class JsonCursor {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    this.at = hasMark ? 3 : 0;
    this.#skipSpace();
  }

  get opensObject(): boolean {
    return this.#bytes[this.at] === OPEN_BRACE;
  }

  get opensList(): boolean {
    return this.#bytes[this.at] === OPEN_BRACKET;
  }

  get isNull(): boolean {
    return this.#bytes[this.at] === 0x6e;
  }

  /** Goes through the object here. `visit` has to pass over the member's value. */
  object(visit: (name: string) => void): void {
    this.#through(CLOSE_BRACE, () => {
      const name = this.#string();
      this.#skipSpace();
      this.at += 1;
      this.#skipSpace();
      visit(name);
    });
  }

  /** Goes through the list here. `visit` has to pass over the member. */
  list(visit: () => void): void {
    this.#through(CLOSE_BRACKET, visit);
  }

  /** Passes over the value here, however deep it is. */
  skip(): void {
    let depth = 0;
    do {
      const byte = this.#bytes[this.at];
      if (byte === QUOTE) this.#skipString();
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        depth += 1;
        this.at += 1;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        depth -= 1;
        this.at += 1;
      } else if (depth > 0) this.at += 1;
      else this.#skipScalar();
    } while (depth > 0 && this.at < this.#bytes.length);
  }

  /** The value here, read; passes over it. */
  value(): unknown {
    const start = this.at;
    this.skip();
    return this.parsed(start);
  }

  /** The value from `start` up to here. */
  parsed(start: number): unknown {
    return JSON.parse(this.#bytes.toString("utf8", start, this.at));
  }

  #through(close: number, visit: () => void): void {
    this.at += 1;
    this.#skipSpace();
    while (this.at < this.#bytes.length && this.#bytes[this.at] !== close) {
      visit();
      this.#skipSpace();
      if (this.#bytes[this.at] === COMMA) this.at += 1;
      this.#skipSpace();
    }
    this.at += 1;
  }

  #string(): string {
    const start = this.at;
    this.#skipString();
    const raw = this.#bytes.toString("utf8", start, this.at);
    return raw.includes("\\") ? JSON.parse(raw) : raw.slice(1, -1);
  }

  #skipString(): void {
    let end = this.at;
    let escaped: boolean;
    do {
      end = this.#bytes.indexOf(QUOTE, end + 1);
      if (end === -1) end = this.#bytes.length;
      let backslashes = 0;
      while (this.#bytes[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
      escaped = backslashes % 2 === 1;
    } while (escaped && end < this.#bytes.length);
    this.at = end + 1;
  }

  #skipScalar(): void {
    const ends = (byte: number | undefined): boolean =>
      byte === undefined || byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte);
    while (!ends(this.#bytes[this.at])) this.at += 1;
  }

  #skipSpace(): void {
    while (isSpace(this.#bytes[this.at])) this.at += 1;
  }
}
