/**
 * A call of a run that lacks a label.
 *
 * @module
 */
import type { SpanRow } from "../rows/span-row.ts";
import type { Condition } from "../rules/rule.ts";
import type { Judged } from "./judged.ts";
import { type Candidate, candidatesOf } from "./where.ts";

/** Judges it. The hit is the first such call. */
export function judgeLacking(
  { labels }: Extract<Condition, { kind: "lacking" }>,
  rows: readonly SpanRow[],
): Judged {
  const calls = candidatesOf(rows, "calls").filter(({ row }) => !row.notRun);
  const lacking = calls.filter(({ values }) => labels.some((label) => values[label] === undefined));
  const sure = lacking.filter(({ row }) => !row.droppedAttributes);
  const hits = sure.length === 0 ? [] : [{ ...(sure[0] as Candidate), count: sure.length }];
  return { examined: calls.length, hits, unknown: lacking.length - sure.length };
}
