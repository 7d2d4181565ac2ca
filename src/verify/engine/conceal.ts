/**
 * Taking content out of a report: a label that was found to hold content would otherwise be repeated wherever the report
 * shows that label's value.
 *
 * @module
 */
import type { Report } from "../report.ts";

const CONCEALED = "(withheld: it holds content)";
// The members of a report that hold values of labels.
const VALUES: ReadonlySet<string> = new Set(["runId", "observed", "expected"]);

/** Whether a label's value has to be withheld. */
export type IsLeaked = (value: string) => boolean;

/** The report without the values that hold content. */
export function concealIn(report: Report, isLeaked: IsLeaked): Report {
  return conceal(report, isLeaked, false) as Report;
}

function conceal(value: unknown, isLeaked: IsLeaked, isLabelValue: boolean): unknown {
  if (typeof value === "string") return isLabelValue && isLeaked(value) ? CONCEALED : value;
  if (Array.isArray(value)) return value.map((member) => conceal(member, isLeaked, false));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) =>
      name === "labels"
        ? [name, concealLabels(member, isLeaked)]
        : [name, conceal(member, isLeaked, VALUES.has(name))],
    ),
  );
}

const concealLabels = (labels: unknown, isLeaked: IsLeaked): unknown =>
  Object.fromEntries(
    Object.entries(labels as object).map(([name, value]) => [name, conceal(value, isLeaked, true)]),
  );
