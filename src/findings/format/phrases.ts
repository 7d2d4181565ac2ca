/**
 * Words that several renderings share.
 *
 * @module
 */
import { cleanText } from "../../verify/clean-text.ts";
import { countPhrase, spanPhrase } from "../../verify/format/phrases.ts";
import type { FindingsReport, RuleFinding } from "../finding.ts";

const VALUE_LENGTH = 80;
const RUN_LENGTH = 24;

/** Which run, which span. */
export function placeOf({ runId, span }: RuleFinding): string {
  const run = runId === undefined ? "" : `run ${cleanText(runId, RUN_LENGTH)}, `;
  return `${run}${spanPhrase(span)}`;
}

/** The evidence on one line. */
export function evidencePhrase({ evidence }: RuleFinding): string {
  return Object.entries(evidence)
    .map(([name, value]) => `${name.replace(/^trustabl\./, "")} ${cleanText(String(value), VALUE_LENGTH)}`)
    .join(", ");
}

/** One line on the whole. */
export function findingsSummary(report: FindingsReport): string {
  return `${countPhrase(report.findings.length + report.omitted, "finding")}; ${judgedPhrase(report)}`;
}

/** What the rules say, and of how much. */
export function judgedPhrase({ rules, examined, incomplete }: FindingsReport): string {
  const of = (outcome: string): number => rules.filter((rule) => rule.outcome === outcome).length;
  const counts = [
    [of("found"), "fired"],
    [of("unknown"), "unknown"],
    [of("clear"), "clear"],
    [of("not-applicable"), "not applicable"],
  ] as const;
  const parts = counts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`])).join(", ");
  const seen = [
    countPhrase(examined.spans, "span"),
    countPhrase(examined.toolCalls, "tool call"),
    countPhrase(examined.runs, "run"),
  ].join(", ");
  const cut = incomplete ? "; part of the input was not seen" : "";
  return `rules: ${parts || "none"}; ${seen}${cut}`;
}

/** One line on one finding, for a terminal where others write too. */
export function findingLine(finding: RuleFinding): string {
  const { severity, rule, message } = finding;
  return `${severity} ${rule}: ${message} (${placeOf(finding)}: ${evidencePhrase(finding)})`;
}
