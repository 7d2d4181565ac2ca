/**
 * What should be one value is two. A value that is missing is none.
 *
 * @module
 */
import type { Field } from "../rows/fields.ts";
import { fieldRow } from "../rows/fields.ts";
import type { SpanRow } from "../rows/span-row.ts";
import type { Condition } from "../rules/rule.ts";
import type { Hit, Judged } from "./judged.ts";
import { type Candidate, candidatesOf, groupBy, passes } from "./where.ts";

/** How many of the values go with a finding. */
export const SHOWN_VALUES = 4;

/** Judges it. The hit is the first that differs from what was there before. */
export function judgeDrift(
  { subject, where, groupBy: fields, values }: Extract<Condition, { kind: "drift" }>,
  rows: readonly SpanRow[],
): Judged {
  const passing = candidatesOf(rows, subject).filter((one) => passes(one.values, where));
  const hits = groupBy(passing, fields).flatMap((group) => {
    const positions = values.map((field) => firstOther(group, field)).filter((at) => at >= 0);
    if (positions.length === 0) return [];
    return [hitOf(group[Math.min(...positions)] as Candidate, group, fields, values)];
  });
  return { examined: passing.length, hits, unknown: 0 };
}

function firstOther(group: readonly Candidate[], field: Field): number {
  const first = group.find(({ values }) => values[field] !== undefined)?.values[field];
  return group.findIndex(({ values }) => values[field] !== undefined && values[field] !== first);
}

function hitOf(
  { row, values: own }: Candidate,
  group: readonly Candidate[],
  fields: readonly Field[],
  values: readonly Field[],
): Hit {
  const evidence: Record<string, string | number> = {};
  for (const field of fields) {
    if (own[field] !== undefined) evidence[fieldRow(field).label] = String(own[field]);
  }
  let count = 0;
  for (const field of values) {
    const distinct = [...new Set(group.map((one) => one.values[field]))].filter(
      (value) => value !== undefined,
    );
    count = Math.max(count, distinct.length);
    if (distinct.length === 0) continue;
    const texts = distinct.map(String).sort(byCodeUnit);
    evidence[fieldRow(field).label] = texts.slice(0, SHOWN_VALUES).join(", ");
  }
  return { row, values: own, count, evidence };
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
