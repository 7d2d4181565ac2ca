/**
 * Which regular expressions a contract may hold: anchored ones in whose repetitions the next character always decides what
 * is matched. A backtracking engine then has a small fixed number of ways to go, so that its time is linear, whatever the
 * model sends.
 *
 * A search for known bad shapes (nested quantifiers, a "star height") was rejected: it finds the famous cases and lets
 * others through. A full analysis (recheck: a worker, or a binary per platform) was rejected as a dependency; an engine of our own
 * without backtracking, because other readers of the same schema would still run theirs.
 *
 * @module
 */
import { Automaton } from "./automaton.ts";
import { parsePattern } from "./parse.ts";
import { PatternFault } from "./pattern-fault.ts";

/** Longest pattern, in UTF-16 code units. */
const MAX_PATTERN_LENGTH = 1_000;

/** What is wrong with a pattern, as what would be allowed; `undefined` when nothing is. */
export function patternFault(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    return `a pattern has at most ${MAX_PATTERN_LENGTH} characters`;
  }
  try {
    new Automaton().accept(parsePattern(pattern));
    return undefined;
  } catch (fault) {
    if (fault instanceof PatternFault) return fault.allowed;
    throw fault;
  }
}

/** The pattern as the validator runs it: by code points, without any other flag. */
export function compilePattern(pattern: string): RegExp {
  return new RegExp(pattern, "u");
}
