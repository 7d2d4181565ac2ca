/**
 * The findings for people: a line for each rule, what it found, and what to do.
 *
 * @module
 */
import { cleanText } from "../../verify/clean-text.ts";
import { type Paint, painter, type Style } from "../../verify/format/colours.ts";
import { countPhrase, placePhrase } from "../../verify/format/phrases.ts";
import type { FindingsReport, RuleOutcome, RuleResult } from "../finding.ts";
import type { Severity } from "../rules/rule.ts";
import { evidencePhrase, findingsSummary, placeOf } from "./phrases.ts";

const MARKS: Readonly<Record<Exclude<RuleOutcome, "found">, readonly [mark: string, style: Style]>> = {
  clear: ["✓", "green"],
  unknown: ["?", "yellow"],
  "not-applicable": ["-", "grey"],
};
const STYLES: Readonly<Record<Severity, Style>> = {
  critical: "red",
  high: "red",
  medium: "yellow",
  low: "grey",
};

const ID_WIDTH = 24;
const SHOWN = 5;
const PROBLEMS_SHOWN = 10;

/** The findings for people. */
export function formatFindingsText(report: FindingsReport, color: boolean): string {
  const paint = painter(color);
  const lines = problemLines(report, paint);
  for (const rule of report.rules) lines.push(...ruleLines(rule, report, paint));
  lines.push("", findingsSummary(report));
  if (report.literal) lines.push(paint("grey", "The rules were read to the letter."));
  return `${lines.join("\n")}\n`;
}

function problemLines({ problems, unreadable }: FindingsReport, paint: Paint): string[] {
  if (unreadable === 0) return [];
  const shown = problems.slice(0, PROBLEMS_SHOWN);
  const lines = shown.map((problem) =>
    `${paint("red", "input")} ${cleanText(problem.message, 300)} ${placePhrase(problem)}`.trimEnd(),
  );
  const hidden = unreadable - shown.length;
  return [...lines, ...(hidden > 0 ? [paint("grey", `      and ${hidden} more`)] : []), ""];
}

function ruleLines(result: RuleResult, report: FindingsReport, paint: Paint): string[] {
  if (result.outcome !== "found") {
    const [mark, style] = MARKS[result.outcome];
    const text = result.outcome === "clear" ? `${result.title}: no` : result.message;
    return [`${paint(style, mark)} ${result.rule.padEnd(ID_WIDTH)} ${paint("grey", text)}`];
  }
  const findings = report.findings.filter(({ rule }) => rule === result.rule);
  const style = STYLES[result.severity];
  const record = result.shadow ? ", a record only" : "";
  const lines = [
    `${paint(style, "✗")} ${result.rule.padEnd(ID_WIDTH)} ${paint(style, `${result.severity}${record}`)}: ${result.message}`,
    ...findings
      .slice(0, SHOWN)
      .map((finding) => `      ${placeOf(finding)}: ${paint("grey", evidencePhrase(finding))}`),
  ];
  const hidden = result.counts.found - Math.min(findings.length, SHOWN);
  if (hidden > 0) lines.push(paint("grey", `      and ${countPhrase(hidden, "finding")} more`));
  const [first] = findings;
  return first === undefined ? lines : [...lines, `    ${paint("grey", `fix: ${first.fix}`)}`];
}
