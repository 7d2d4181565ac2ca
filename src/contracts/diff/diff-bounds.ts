/**
 * Changes of the bounds of strings, numbers and arrays.
 *
 * @module
 */
import type { InputSchema } from "../schema.ts";
import { isMultipleOf } from "../validate/multiple-of.ts";
import type { Note } from "./change.ts";

export function diffStrings(before: InputSchema, after: InputSchema, place: string, note: Note): void {
  diffLeast("minLength", before, after, place, note);
  diffMost("maxLength", before, after, place, note);
  const [one, other] = [before.pattern, after.pattern];
  if (one === other) return;
  // Whether one expression allows less than another is not decided here: a change is looked at.
  if (one === undefined) note("tightening", `${place}/pattern`, "pattern added", one, other);
  else
    note(
      "loosening",
      `${place}/pattern`,
      other === undefined ? "pattern gone" : "pattern changed",
      one,
      other,
    );
}

export function diffArrays(before: InputSchema, after: InputSchema, place: string, note: Note): void {
  diffLeast("minItems", before, after, place, note);
  diffMost("maxItems", before, after, place, note);
  const [one, other] = [before.uniqueItems === true, after.uniqueItems === true];
  if (one !== other) {
    note(one ? "loosening" : "tightening", `${place}/uniqueItems`, "uniqueness changed", one, other);
  }
}

export function diffNumbers(before: InputSchema, after: InputSchema, place: string, note: Note): void {
  // Inclusive and exclusive bounds together: which of the two says it changes nothing.
  const least = compareBounds(
    [after.minimum ?? -Infinity, after.exclusiveMinimum ?? -Infinity],
    [before.minimum ?? -Infinity, before.exclusiveMinimum ?? -Infinity],
    Math.max,
  );
  if (least !== 0) {
    const keyword =
      after.exclusiveMinimum === undefined && before.exclusiveMinimum === undefined
        ? "minimum"
        : "exclusiveMinimum";
    noteBound(least > 0, keyword, "lower bound", before, after, place, note);
  }
  const most = compareBounds(
    [after.maximum ?? Infinity, after.exclusiveMaximum ?? Infinity],
    [before.maximum ?? Infinity, before.exclusiveMaximum ?? Infinity],
    Math.min,
  );
  if (most !== 0) {
    const keyword =
      after.exclusiveMaximum === undefined && before.exclusiveMaximum === undefined
        ? "maximum"
        : "exclusiveMaximum";
    noteBound(most < 0, keyword, "upper bound", before, after, place, note);
  }
  diffMultiples(before, after, place, note);
}

type Bound = readonly [inclusive: number, exclusive: number];

/** Which of two bounds is higher, as a sign; at the same number, which of them is further in. */
function compareBounds(one: Bound, other: Bound, strictest: (...bounds: number[]) => number): number {
  const [a, b] = [strictest(...one), strictest(...other)];
  if (a !== b) return Math.sign(a - b);
  const [aExclusive, bExclusive] = [one[1] === a && Number.isFinite(a), other[1] === b && Number.isFinite(b)];
  if (aExclusive === bExclusive) return 0;
  const inward = strictest(0, 1) === 1 ? 1 : -1;
  return aExclusive ? inward : -inward;
}

function noteBound(
  tighter: boolean,
  keyword: "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum",
  name: string,
  before: InputSchema,
  after: InputSchema,
  place: string,
  note: Note,
): void {
  const inclusive = keyword.endsWith("inimum") ? "minimum" : "maximum";
  note(
    tighter ? "tightening" : "loosening",
    `${place}/${keyword}`,
    `${name} ${tighter ? "tightened" : "loosened"}`,
    before[keyword] ?? before[inclusive],
    after[keyword] ?? after[inclusive],
  );
}

function diffMultiples(before: InputSchema, after: InputSchema, place: string, note: Note): void {
  const [one, other] = [before.multipleOf, after.multipleOf];
  if (one === other) return;
  const tighter = other !== undefined && (one === undefined || isMultipleOf(other, one));
  note(tighter ? "tightening" : "loosening", `${place}/multipleOf`, "multiple changed", one, other);
}

function diffLeast(
  keyword: "minLength" | "minItems",
  before: InputSchema,
  after: InputSchema,
  place: string,
  note: Note,
): void {
  const [one, other] = [before[keyword] ?? 0, after[keyword] ?? 0];
  if (one !== other) {
    note(other > one ? "tightening" : "loosening", `${place}/${keyword}`, `${keyword} changed`, one, other);
  }
}

function diffMost(
  keyword: "maxLength" | "maxItems",
  before: InputSchema,
  after: InputSchema,
  place: string,
  note: Note,
): void {
  const [one, other] = [before[keyword] ?? Infinity, after[keyword] ?? Infinity];
  if (one !== other) {
    const kind = other < one ? "tightening" : "loosening";
    note(kind, `${place}/${keyword}`, `${keyword} changed`, before[keyword], after[keyword]);
  }
}
