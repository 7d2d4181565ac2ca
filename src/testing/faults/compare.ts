/**
 * What is different between two calls, in words that hold nothing of what they were given or gave.
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import { stripVolatile } from "../../fingerprint/index.ts";
import { InjectedFault } from "./injected-fault.ts";
import type { Outcome } from "./outcome.ts";

/** Are two values the same, as far as the test is concerned? */
export type SameValue = (expected: unknown, actual: unknown) => boolean;

/** `undefined` when both calls ended in the same way with the same values. */
export function differenceOf(expected: Outcome, actual: Outcome, same: SameValue): string | undefined {
  if (actual.values.some((value) => isInstance(value, InjectedFault))) return "the injected error came out";
  if (actual.ending !== expected.ending) {
    return `it ${wordsFor(actual)} where the tool itself ${wordsFor(expected)}`;
  }
  const { values } = expected;
  if (
    actual.values.length !== values.length ||
    !values.every((value, at) => same(value, actual.values[at]))
  ) {
    return `it ${wordsFor(actual)} with another value than the tool itself`;
  }
  return undefined;
}

// The class of an error that the language itself throws says where to look, and nothing about the data.
function wordsFor(outcome: Outcome): string {
  const error: unknown = outcome.ending === "returned" ? undefined : outcome.values.at(-1);
  for (const known of [TypeError, RangeError, ReferenceError, SyntaxError]) {
    if (isInstance(error, known)) return `${outcome.ending} (${known.name})`;
  }
  return outcome.ending;
}

function isInstance(value: unknown, errorClass: new (...parameters: never[]) => Error): boolean {
  try {
    return value instanceof errorClass;
  } catch {
    return false;
  }
}

/**
 * The same in all that is not noise: the members that fingerprints leave out (times, request ids) differ from call to
 * call.
 */
export function sameApartFromVolatile(expected: unknown, actual: unknown): boolean {
  try {
    if (isDeepStrictEqual(expected, actual)) return true;
  } catch {
    // Values that cannot be compared (a proxy that was revoked) cannot be told apart either.
    return true;
  }
  try {
    return isDeepStrictEqual(stripVolatile(expected), stripVolatile(actual));
  } catch {
    return false;
  }
}
