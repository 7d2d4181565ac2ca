/**
 * Reads a pattern of the closed grammar: `^`, then literals, classes, escapes, `.`, groups with alternatives, and the
 * greedy quantifiers, then `$`.
 *
 * @module
 */
import { type CharacterSet, setOfAtom } from "./character-set.ts";
import { PatternFault } from "./pattern-fault.ts";

export type Expression =
  | { readonly kind: "atom"; readonly set: CharacterSet }
  | { readonly kind: "sequence"; readonly parts: readonly Expression[] }
  | { readonly kind: "choice"; readonly branches: readonly Expression[] }
  | { readonly kind: "repeat"; readonly body: Expression; readonly min: number; readonly max: number };

const MAX_GROUP_DEPTH = 20;

const ATOM =
  /\\(?:[dDwWsStnrfv]|[pP]\{[A-Za-z_=]{1,60}\}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]{1,6}\}|[\^$\\.*+?()[\]{}|/])|\[\^?(?:\\.|[^\\\]])*\]|[^^$\\*+?()[\]{}|]/suy;
const QUANTIFIER = /[*+?]|\{([0-9]{1,5})(?:(,)([0-9]{1,5})?)?\}/y;

/** The expression between `^` and `$`. */
export function parsePattern(pattern: string): Expression {
  if (!pattern.startsWith("^"))
    throw new PatternFault("a pattern is anchored: it starts with ^ and ends with $");
  const reader = new Reader(pattern);
  const expression = reader.sequence(0);
  if (pattern[reader.at] === "|") {
    throw new PatternFault(
      "a pattern is anchored as a whole: put its alternatives into a group, as in ^(?:a|b)$",
    );
  }
  if (pattern[reader.at] !== "$" || reader.at !== pattern.length - 1) {
    throw new PatternFault(
      "a pattern is anchored: it starts with ^, ends with $, and has neither of them in between",
    );
  }
  return expression;
}

class Reader {
  readonly #text: string;
  at = 1;

  constructor(text: string) {
    this.#text = text;
  }

  sequence(depth: number): Expression {
    const parts: Expression[] = [];
    for (;;) {
      const next = this.#text[this.at];
      if (next === undefined || next === "$" || next === "|" || next === ")") {
        return { kind: "sequence", parts };
      }
      parts.push(this.#quantified(next === "(" ? this.#group(depth + 1) : this.#atom()));
    }
  }

  #group(depth: number): Expression {
    if (depth > MAX_GROUP_DEPTH) {
      throw new PatternFault(`groups are at most ${MAX_GROUP_DEPTH} inside one another`);
    }
    this.at++;
    if (this.#text.startsWith("?:", this.at)) this.at += 2;
    else if (this.#text[this.at] === "?") {
      throw new PatternFault("groups are (...) and (?:...); no lookaround, no names, no flags");
    }
    const branches = [this.sequence(depth)];
    while (this.#text[this.at] === "|") {
      this.at++;
      branches.push(this.sequence(depth));
    }
    if (this.#text[this.at] !== ")") throw new PatternFault("every group is closed, and has no anchor in it");
    this.at++;
    return branches.length === 1 ? branches[0]! : { kind: "choice", branches };
  }

  #atom(): Expression {
    ATOM.lastIndex = this.at;
    const found = ATOM.exec(this.#text)?.[0];
    if (found === undefined) {
      throw new PatternFault(
        "a pattern is made of literals, classes, escapes of classes and characters, groups and greedy quantifiers; no back-references, no \\b",
      );
    }
    this.at += found.length;
    return { kind: "atom", set: setOfAtom(found) };
  }

  #quantified(body: Expression): Expression {
    QUANTIFIER.lastIndex = this.at;
    const found = QUANTIFIER.exec(this.#text);
    if (found === null) return body;
    this.at += found[0].length;
    if (/[*+?{]/.test(this.#text[this.at] ?? "")) {
      throw new PatternFault("quantifiers are greedy, and one at a time");
    }
    const [min, max] = rangeOf(found);
    if (max < 1 || max < min)
      throw new PatternFault("a quantifier allows at least one, and no less than it asks");
    return { kind: "repeat", body, min, max };
  }
}

function rangeOf([sign, least, comma, most]: RegExpExecArray): [number, number] {
  if (sign === "*") return [0, Number.POSITIVE_INFINITY];
  if (sign === "+") return [1, Number.POSITIVE_INFINITY];
  if (sign === "?") return [0, 1];
  const min = Number(least);
  if (comma === undefined) return [min, min];
  return [min, most === undefined ? Number.POSITIVE_INFINITY : Number(most)];
}
