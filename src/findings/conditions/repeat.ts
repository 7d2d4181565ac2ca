/**
 * Equal calls near each other. Near is by step: calls that are not in the export still took theirs.
 *
 * @module
 */
import type { SpanRow } from "../rows/span-row.ts";
import type { Condition } from "../rules/rule.ts";
import type { Hit, Judged } from "./judged.ts";
import { canBeJudged, candidatesOf, groupBy, passes } from "./where.ts";

/** Judges it. The hit is the call that completes the first window. */
export function judgeRepeat(
  { where, groupBy: fields, window, count }: Extract<Condition, { kind: "repeat" }>,
  rows: readonly SpanRow[],
): Judged {
  const calls = candidatesOf(rows, "calls").filter(
    ({ row, values }) => row.step !== undefined && canBeJudged(values, where),
  );
  const stepped = calls.filter(({ values }) => passes(values, where));
  const hits: Hit[] = [];
  for (const group of groupBy(stepped, fields)) {
    const hit = group.find(({ row }, index) => {
      const first = group[index - count + 1];
      return first !== undefined && (row.step as number) - (first.row.step as number) < window;
    });
    if (hit !== undefined) hits.push({ ...hit, count: group.length });
  }
  return { examined: calls.length, hits, unknown: 0 };
}
