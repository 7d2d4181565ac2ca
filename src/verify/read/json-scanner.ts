/**
 * Finding where a JSON value ends without parsing it: for values that stand on several lines, or on one line
 * with others. Structure only; `JSON.parse` judges the rest.
 *
 * @module
 */

/** Where a scan stands. `broken` is final: this text can never become a JSON value. */
export type ScanState = "inside" | "complete" | "broken";

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

/** Follows one JSON object or array through any number of pieces of text. */
export class JsonScanner {
  readonly #maxDepth: number;
  readonly #open: number[] = [];
  #escaped = false;
  state: ScanState = "inside";
  /** Why the scan broke. */
  reason: "bad-json" | "too-deep" = "bad-json";
  /** True while a string is open. */
  inString = false;

  constructor(maxDepth: number) {
    this.#maxDepth = maxDepth;
  }

  /** Gets ready for the next value. */
  reset(): void {
    this.#open.length = 0;
    this.#escaped = false;
    this.inString = false;
    this.state = "inside";
  }

  /**
   * Reads on from `from`; the first character after a reset has to open the value.
   *
   * @returns the index after the last character that belongs to the value; `text.length` while it is open
   */
  scan(text: string, from: number): number {
    let index = from;
    while (index < text.length) {
      if (this.inString) {
        index = this.#scanString(text, index);
        continue;
      }
      const code = text.charCodeAt(index);
      index += 1;
      if (code === QUOTE) {
        this.inString = true;
      } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        this.#open.push(code);
        if (this.#open.length > this.#maxDepth) return this.#break("too-deep", index);
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        // In both pairs the closing character's code is two more than the opening one's.
        if (this.#open.pop() !== code - 2) return this.#break("bad-json", index);
        if (this.#open.length === 0) {
          this.state = "complete";
          return index;
        }
      }
    }
    return index;
  }

  #scanString(text: string, from: number): number {
    for (let index = from; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (this.#escaped) {
        this.#escaped = false;
      } else if (code === BACKSLASH) {
        this.#escaped = true;
      } else if (code === QUOTE) {
        this.inString = false;
        return index + 1;
      }
    }
    return text.length;
  }

  #break(reason: "bad-json" | "too-deep", index: number): number {
    this.state = "broken";
    this.reason = reason;
    return index;
  }
}
