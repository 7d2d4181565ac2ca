/**
 * Putting the report together.
 *
 * @module
 */
import { cleanText } from "../../verify/clean-text.ts";
import type { InputProblem } from "../../verify/report.ts";
import type { FindingsReport } from "../finding.ts";
import type { FindingsSettings } from "../options.ts";
import type { Field } from "../rows/fields.ts";
import { SEVERITIES } from "../rules/rule.ts";
import type { RuleTally } from "./rule-tally.ts";

const SOURCE_LENGTH = 200;

/** What was counted besides. */
export interface InputCounts {
  readonly spans: number;
  readonly runs: number;
  readonly toolCalls: number;
  readonly unreadable: number;
  readonly late: number;
}

/** The report. */
export function reportOf(
  tallies: readonly RuleTally[],
  seen: ReadonlySet<Field>,
  { spans, runs, toolCalls, unreadable, late }: InputCounts,
  problems: readonly InputProblem[],
  { literal }: FindingsSettings,
): FindingsReport {
  const results = tallies.map((tally) => tally.result(seen));
  return {
    literal,
    examined: { spans, runs, toolCalls },
    incomplete: unreadable > 0 || late > 0,
    unreadable,
    problems: problems.map((one) => ({ ...one, source: one.source && cleanText(one.source, SOURCE_LENGTH) })),
    rules: results.map(({ result }) => result),
    // Stable: within a severity the rules keep their order, and their findings the order of time.
    findings: results
      .flatMap(({ findings }) => findings)
      .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)),
    omitted: results.reduce((sum, { omitted }) => sum + omitted, 0),
  };
}
