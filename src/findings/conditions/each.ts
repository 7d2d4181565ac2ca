/**
 * A subject passes the tests.
 *
 * @module
 */
import type { SpanRow } from "../rows/span-row.ts";
import type { Condition, Test } from "../rules/rule.ts";
import type { Hit, Judged } from "./judged.ts";
import { canBeJudged, candidatesOf, groupBy, passes } from "./where.ts";

/** Judges it. */
export function judgeEach(
  { subject, where, groupBy: fields }: Extract<Condition, { kind: "each" }>,
  rows: readonly SpanRow[],
): Judged {
  const all = candidatesOf(rows, subject);
  const passing = all.filter(({ values }) => passes(values, where));
  // A label that has to be missing may have been dropped with others.
  const isSure = !where.some(asksForAbsence);
  const found = isSure ? passing : passing.filter(({ row }) => !row.droppedAttributes);
  const groups = fields === undefined ? found.map((one) => [one]) : groupBy(found, fields);
  const hits: Hit[] = groups.flatMap(([first, ...more]) =>
    first === undefined ? [] : [{ ...first, count: more.length + 1 }],
  );
  return {
    examined: all.filter(({ values }) => canBeJudged(values, where)).length,
    hits,
    unknown: passing.length - found.length,
  };
}

const asksForAbsence = (test: Test): boolean => "there" in test && !test.there;
