/**
 * Cutting chunks of bytes or text into lines. A line that gets very long is handed on in pieces, so that no
 * input makes the reader hold more than one JSON value.
 *
 * @module
 */
import type { JsonValues } from "./json-values.ts";
import { type RefusedBytes, refuseBytes } from "./refused-bytes.ts";

const MAX_WAITING = 1_048_576;
// Enough to tell JSON from a compressed or binary file.
const HEAD_LENGTH = 64;
const NEWLINE = 10;
const NO_BYTES = new Uint8Array();

/** Takes chunks, gives lines. */
interface LineCutter<Chunk> {
  write(chunk: Chunk): void;
  end(): void;
}

/** Cuts bytes into lines. A line end is never part of a longer UTF-8 character, so each line decodes by itself. */
export class ByteLines implements LineCutter<Uint8Array> {
  readonly #values: JsonValues;
  readonly #refuse: (reason: RefusedBytes) => void;
  readonly #line = new TextDecoder();
  readonly #pieces = new TextDecoder("utf-8", { ignoreBOM: true });
  #waiting: Uint8Array[] = [];
  #waitingLength = 0;
  #inPieces = false;
  #state: "head" | "reading" | "refused" = "head";

  constructor(values: JsonValues, refuse: (reason: RefusedBytes) => void) {
    this.#values = values;
    this.#refuse = refuse;
  }

  write(chunk: Uint8Array): void {
    if (this.#state === "reading") {
      this.#cut(chunk);
    } else if (this.#state === "head") {
      this.#keep(chunk);
      if (this.#waitingLength >= HEAD_LENGTH) this.#readHead();
    }
  }

  end(): void {
    if (this.#state === "head") this.#readHead();
    if (this.#state === "reading") this.#values.end(this.#decode(NO_BYTES));
  }

  #readHead(): void {
    const head = this.#joined(NO_BYTES);
    const refused = refuseBytes(head);
    this.#state = refused === undefined ? "reading" : "refused";
    if (refused === undefined) this.#cut(head);
    else this.#refuse(refused);
  }

  #cut(chunk: Uint8Array): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#values.line(this.#decode(chunk.subarray(from, at)));
      from = at + 1;
    }
    if (from === chunk.length) return;
    this.#keep(chunk.subarray(from));
    if (this.#waitingLength > MAX_WAITING) {
      this.#inPieces = true;
      this.#values.piece(this.#pieces.decode(this.#joined(NO_BYTES), { stream: true }));
    }
  }

  #keep(bytes: Uint8Array): void {
    // A copy: the caller may use the chunk's memory again.
    this.#waiting.push(bytes.slice());
    this.#waitingLength += bytes.length;
  }

  #decode(end: Uint8Array): string {
    if (!this.#inPieces) return this.#line.decode(this.#waitingLength === 0 ? end : this.#joined(end));
    this.#inPieces = false;
    return this.#pieces.decode(this.#joined(end));
  }

  #joined(end: Uint8Array): Uint8Array {
    const all = new Uint8Array(this.#waitingLength + end.length);
    let at = 0;
    for (const part of this.#waiting) {
      all.set(part, at);
      at += part.length;
    }
    all.set(end, at);
    this.#waiting = [];
    this.#waitingLength = 0;
    return all;
  }
}

/** Cuts text into lines. */
export class TextLines implements LineCutter<string> {
  readonly #values: JsonValues;
  #waiting = "";

  constructor(values: JsonValues) {
    this.#values = values;
  }

  write(chunk: string): void {
    let from = 0;
    for (let at = chunk.indexOf("\n"); at !== -1; at = chunk.indexOf("\n", from)) {
      this.#values.line(this.#taken(chunk.slice(from, at)));
      from = at + 1;
    }
    this.#waiting += chunk.slice(from);
    if (this.#waiting.length > MAX_WAITING) this.#values.piece(this.#taken(""));
  }

  end(): void {
    this.#values.end(this.#taken(""));
  }

  #taken(end: string): string {
    const text = this.#waiting + end;
    this.#waiting = "";
    return text;
  }
}
