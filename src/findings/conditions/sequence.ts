/**
 * A denial, an answer, and nothing allowed between. Calls without a step have no place in the order, and are left out.
 *
 * @module
 */
import type { SpanRow } from "../rows/span-row.ts";
import type { Condition } from "../rules/rule.ts";
import type { Judged } from "./judged.ts";
import { type Candidate, candidatesOf, passes } from "./where.ts";

/** Judges it. The hit is the first denied call that no allowed one follows. */
export function judgeSequence(
  { denied, allowed, same, end }: Extract<Condition, { kind: "sequence" }>,
  rows: readonly SpanRow[],
): Judged {
  const calls = candidatesOf(rows, "calls").filter(({ row }) => row.step !== undefined);
  const passesOne = (tests: typeof denied, { values }: Candidate): boolean =>
    tests.some((all) => passes(values, all));
  // The highest step of an allowed call, by the field that has to agree.
  const lastAllowed = new Map<unknown, number>();
  const keyOf = ({ values }: Candidate): unknown => (same === undefined ? "" : values[same]);
  for (const call of calls) {
    if (passesOne(allowed, call)) lastAllowed.set(keyOf(call), call.row.step as number);
  }
  const open = calls.filter(
    (call) => passesOne(denied, call) && (call.row.step as number) > (lastAllowed.get(keyOf(call)) ?? -1),
  );
  const answered = candidatesOf(rows, end.subject).some(({ values }) => passes(values, end.where));
  const [first] = open;
  if (first === undefined || !answered) return { examined: calls.length, hits: [], unknown: 0 };
  return { examined: calls.length, hits: [{ ...first, count: open.length }], unknown: 0 };
}
