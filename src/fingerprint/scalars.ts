/**
 * The text of numbers and strings: what `JSON.stringify` writes, after the two checks that RFC 8785 adds.
 *
 * @module
 */
import { MAX_TEXT_LENGTH } from "./bounds.ts";
import { refuse } from "./refusal.ts";

const { stringify } = JSON;
const { MAX_SAFE_INTEGER } = Number;

export function numberText(value: number): string {
  checkNumber(value);
  return `${value}`;
}

/**
 * The same text for a number that is one of very many.
 *
 * V8 keeps the texts of fractions in a cache. For a few hundred numbers that is a gain; many thousands push one
 * another out of it, and each text survives long enough to be moved to the old generation: a list of records takes
 * half as long again. `JSON.stringify` goes past that cache.
 */
export function uncachedNumberText(value: number): string {
  if ((value | 0) === value) return `${value}`;
  checkNumber(value);
  return stringify(value);
}

function checkNumber(value: number): void {
  // NaN and the infinities are the numbers that do not give 0 here.
  if (value - value !== 0) refuse("not_finite");
  // Beyond these there is no double with a fraction.
  if (value > MAX_SAFE_INTEGER || value < -MAX_SAFE_INTEGER) refuse("unsafe_integer");
}

// No character that JSON escapes, and no surrogates, which have to be looked at in pairs. Anchored, because V8 runs the
// loop in the pattern faster than its own search for an unwanted character.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const VERBATIM: RegExp = /^[^\u0000-\u001f"\\\ud800-\udfff]*$/;

// Up to here a loop is done before a regular expression has started.
const SHORT = 16;

/**
 * True for a string whose text is the string itself in quotes.
 *
 * `JSON.stringify` would answer the same question, and takes two to three times as long for everyday strings.
 */
export function isVerbatim(value: string): boolean {
  const { length } = value;
  if (length > SHORT) return length <= MAX_TEXT_LENGTH && VERBATIM.test(value);
  for (let index = 0; index < length; index++) {
    const unit = value.charCodeAt(index);
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c || (unit >= 0xd800 && unit <= 0xdfff)) return false;
  }
  return true;
}

/** The quoted text of a string. */
export function stringText(value: string): string {
  if (isVerbatim(value)) return `"${value}"`;
  if (value.length > MAX_TEXT_LENGTH) return refuse("too_long");
  if (!value.isWellFormed()) return refuse("unpaired_surrogate");
  return value.length > SECTION ? longText(value) : stringify(value);
}

const SECTION = 65_536;

// Escaping can make a text six times as long. In sections the bound is seen before all of it is in memory.
function longText(value: string): string {
  let text = "";
  for (let start = 0; start < value.length; ) {
    const end = start + SECTION + (isLowSurrogate(value.charCodeAt(start + SECTION)) ? 1 : 0);
    text += stringify(value.slice(start, end)).slice(1, -1);
    if (text.length > MAX_TEXT_LENGTH) return refuse("too_long");
    start = end;
  }
  return `"${text}"`;
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
