/**
 * A stream of JSON values out of lines of text. Plain JSON Lines take the short way: one line, one `JSON.parse`.
 * Values on several lines, several values on one line, and an array around everything take the scanner.
 *
 * Exports are untrusted and get damaged: a bad piece costs itself, is reported with its line number, and reading goes
 * on at the next thing that can be a value.
 *
 * @module
 */
import { parseJson } from "../json-data.ts";
import { JsonScanner } from "./json-scanner.ts";
import { looksIndented, looksLikeExport, opensValue, skipBetween, skipSpace } from "./json-text.ts";

/** What can be wrong with the text. */
export type JsonProblemCode =
  | "not-json"
  | "bad-json"
  | "too-deep"
  | "too-large"
  | "cut-off"
  | "cut-last-line";

/** Takes the values and the problems, each with the line on which it starts, from 1. */
export interface JsonValueHandler {
  value(value: unknown, line: number): void;
  problem(code: JsonProblemCode, line: number): void;
}

/** Limits of one value. */
export interface JsonLimits {
  /** Characters. */
  readonly maxValueLength: number;
  readonly maxDepth: number;
}

// Lines up to this length are parsed without a look at their depth: so few brackets do no harm.
const TRUSTED_LENGTH = 262_144;

/**
 * - `ready`: the next line may be a value
 * - `open`: a value has begun
 * - `skipping`: the rest of this line is given up
 * - `seeking`: lines are given up until one is a value of its own (inside a damaged indented document)
 */
type Mode = "ready" | "open" | "skipping" | "seeking";

/** Takes text line by line, or in pieces where a line is too long to wait for its end. */
export class JsonValues {
  readonly #handler: JsonValueHandler;
  readonly #limits: JsonLimits;
  readonly #scanner: JsonScanner;
  readonly #trustedLength: number;
  #mode: Mode = "ready";
  #line = 1;
  /** Part of this line has been taken already. */
  #midLine = false;
  /** Arrays around the values that are not closed yet. */
  #arrays = 0;
  /** The open value: its text so far, where it began, and whether it is an indented document. */
  #pieces: string[] = [];
  #length = 0;
  #startLine = 0;
  #indented = false;

  constructor(handler: JsonValueHandler, limits: JsonLimits) {
    this.#handler = handler;
    this.#limits = limits;
    this.#trustedLength = Math.min(TRUSTED_LENGTH, limits.maxValueLength);
    this.#scanner = new JsonScanner(limits.maxDepth);
  }

  /** A line, or the rest of one, without its line end. */
  line(text: string): void {
    this.#take(text);
    if (this.#mode === "open") this.#keepLineEnd();
    this.#nextLine();
  }

  /** A piece of a line whose end is not there yet. */
  piece(text: string): void {
    if (this.#mode === "ready" || this.#mode === "open") this.#feed(text);
    this.#midLine = true;
  }

  /** The input is over, without a line end after `rest`. */
  end(rest: string): void {
    this.#take(rest);
    if (this.#mode === "open") {
      const lastLine = this.#startLine === this.#line && !this.#indented;
      this.#handler.problem(lastLine ? "cut-last-line" : "cut-off", this.#startLine);
    } else if (this.#arrays > 0) {
      this.#handler.problem("cut-off", this.#line);
    }
    this.#arrays = 0;
    this.#forget("ready");
    this.#nextLine();
  }

  #take(text: string): void {
    if (this.#midLine) {
      if (this.#mode !== "skipping" && this.#mode !== "seeking") this.#feed(text);
    } else if (this.#mode === "open") {
      this.#continue(text);
    } else if (this.#mode === "seeking") {
      this.#seek(text);
    } else {
      this.#fresh(text);
    }
  }

  #nextLine(): void {
    if (this.#mode === "skipping") this.#mode = "ready";
    this.#midLine = false;
    this.#line += 1;
  }

  // The usual way: this line is a value of its own.
  #fresh(text: string): void {
    const from = skipSpace(text);
    if (from === text.length) return;
    if (opensValue(text, from)) {
      const value = text.length <= this.#trustedLength ? parseJson(text) : undefined;
      if (value !== undefined) {
        this.#handler.value(value, this.#line);
        return;
      }
    } else if (this.#arrays === 0) {
      this.#handler.problem("not-json", this.#line);
      return;
    }
    this.#indented = looksIndented(text);
    this.#feed(text);
  }

  // More of an open value. A line that is a value by itself shows that the open one was damaged: inside an indented
  // document only a line that looks like an export, since `{}` may stand alone there.
  #continue(text: string): void {
    if (opensValue(text, 0) && (!this.#indented || looksLikeExport(text))) {
      const value = parseJson(text);
      if (value !== undefined) {
        this.#giveUp("bad-json", "ready");
        this.#handler.value(value, this.#line);
        return;
      }
    }
    this.#feed(text);
  }

  #seek(text: string): void {
    if (!opensValue(text, 0) || (!looksLikeExport(text) && parseJson(text) === undefined)) return;
    this.#mode = "ready";
    this.#fresh(text);
  }

  // Takes every value out of the text. Commas and brackets between values are skipped, so that the elements of an array
  // around everything come out one by one.
  #feed(text: string): void {
    let index = 0;
    while (index < text.length) {
      if (this.#mode !== "open") {
        index = this.#skipBetween(text, index);
        if (index === text.length) return;
        this.#startLine = this.#line;
        if (text.charCodeAt(index) !== 123) {
          this.#giveUp("not-json", "skipping");
          return;
        }
        this.#forget("open");
      }
      const from = index;
      index = this.#scanner.scan(text, from);
      this.#keep(text.slice(from, index));
      const fault = this.#faultInOpen();
      if (fault !== undefined) {
        this.#giveUp(fault, this.#indented ? "seeking" : "skipping");
        return;
      }
      if (this.#scanner.state === "complete") this.#finish();
    }
  }

  #faultInOpen(): JsonProblemCode | undefined {
    if (this.#scanner.state === "broken") return this.#scanner.reason;
    return this.#length > this.#limits.maxValueLength ? "too-large" : undefined;
  }

  #skipBetween(text: string, from: number): number {
    const { index, arrays } = skipBetween(text, from, this.#arrays);
    this.#arrays = arrays;
    return index;
  }

  // A raw line end inside a string is not JSON: the text before it was cut. Where a one-line value is damaged the next
  // line is whole again; the rest of an indented document is not.
  #keepLineEnd(): void {
    if (this.#scanner.inString) this.#giveUp("bad-json", this.#indented ? "seeking" : "ready");
    else this.#keep("\n");
  }

  #keep(text: string): void {
    this.#pieces.push(text);
    this.#length += text.length;
  }

  #finish(): void {
    const value = parseJson(this.#pieces.length === 1 ? (this.#pieces[0] as string) : this.#pieces.join(""));
    const line = this.#startLine;
    this.#forget("ready");
    if (value === undefined) this.#handler.problem("bad-json", line);
    else this.#handler.value(value, line);
  }

  #giveUp(code: JsonProblemCode, mode: Mode): void {
    this.#handler.problem(code, this.#startLine);
    this.#arrays = 0;
    this.#forget(mode);
  }

  #forget(mode: Mode): void {
    this.#mode = mode;
    this.#pieces = [];
    this.#length = 0;
    this.#scanner.reset();
  }
}
