/**
 * The characters that one atom of a pattern may match: exactly for ASCII, and one bit for all others together. Two atoms
 * that share that bit count as overlapping, which refuses a pattern more than needed and never one less.
 *
 * @module
 */
import { PatternFault } from "./pattern-fault.ts";

/** A bit per ASCII character, and bit 128 for everything else. */
export type CharacterSet = bigint;

const ASCII = 128;
const OTHERS: CharacterSet = 1n << BigInt(ASCII);

/** What may be more than ASCII: another character itself, a negation, and the escapes that reach beyond it. */
const MAY_BE_OTHER = /[^\0-\x7f]|^\.$|^\[\^|\\[DWSspPxu]/u;

/** The set of an atom, as it stands in the pattern. The engine itself says what an ASCII character does. */
export function setOfAtom(atom: string): CharacterSet {
  let matches: RegExp;
  try {
    matches = new RegExp(`^${atom}$`, "u");
  } catch {
    throw new PatternFault("a pattern is valid ECMAScript with the flag u");
  }
  let set = MAY_BE_OTHER.test(atom) ? OTHERS : 0n;
  for (let code = 0; code < ASCII; code++) {
    if (matches.test(String.fromCharCode(code))) set |= 1n << BigInt(code);
  }
  return set;
}

/** True when a character may be in both. */
export function overlap(one: CharacterSet, other: CharacterSet): boolean {
  return (one & other) !== 0n;
}
