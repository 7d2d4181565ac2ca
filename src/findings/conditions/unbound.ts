/**
 * A span that should say which policies are in force, and does not.
 *
 * @module
 */
import type { SpanRow } from "../rows/span-row.ts";
import type { Condition } from "../rules/rule.ts";
import type { Hit, Judged } from "./judged.ts";
import { type Candidate, candidatesOf } from "./where.ts";

/** Judges it. Several spans of one delegation are one subject: the first of them is shown. */
export function judgeUnbound(
  { subject, types }: Extract<Condition, { kind: "unbound" }>,
  rows: readonly SpanRow[],
): Judged {
  const all = candidatesOf(rows, subject);
  const groups = subject === "delegations" ? byDelegation(all) : all.map((one) => [one]);
  const hits: Hit[] = [];
  // Whether it is a run's outermost span cannot be told once those above are forgotten.
  let unknown = subject === "roots" ? rows.filter(({ isRoot, isCertain }) => isRoot && !isCertain).length : 0;
  for (const group of groups) {
    const bound = new Set(group.flatMap(({ row }) => row.policies.map(({ type }) => type)));
    const isBound = group.some(({ row }) => row.policies.length > 0);
    const missing = types === "any" ? (isBound ? [] : ["any"]) : types.filter((type) => !bound.has(type));
    if (missing.length === 0) continue;
    // Events are dropped oldest first, and bindings are written first.
    if (group.some(({ row }) => row.droppedEvents)) unknown += 1;
    else
      hits.push({
        ...(group[0] as Candidate),
        count: missing.length,
        evidence: { missing: missing.join(", ") },
      });
  }
  return { examined: groups.length, hits, unknown };
}

function byDelegation(candidates: readonly Candidate[]): Candidate[][] {
  const groups = new Map<string, Candidate[]>();
  for (const one of candidates) {
    const key = `${one.row.span.traceId}\n${one.values.handoffId}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}
