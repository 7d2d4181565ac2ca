/**
 * The report for people: the runs as trees, then a line for each check, then the verdict.
 *
 * @module
 */
import { cleanText } from "../clean-text.ts";
import type { CheckResult, Finding, Outcome, Report, Verdict } from "../report.ts";
import { type Paint, painter, type Style } from "./colours.ts";
import {
  countPhrase,
  detailPhrase,
  nothingPhrase,
  placePhrase,
  skippedPhrase,
  spanPhrase,
  summaryPhrase,
} from "./phrases.ts";
import { treeText } from "./tree-text.ts";

const MARKS: Readonly<Record<Outcome, readonly [mark: string, style: Style]>> = {
  pass: ["✓", "green"],
  fail: ["✗", "red"],
  unknown: ["?", "yellow"],
  "not-applicable": ["-", "grey"],
};
const VERDICT_STYLES: Readonly<Record<Verdict, Style>> = {
  pass: "green",
  fail: "red",
  "nothing-to-check": "yellow",
};

const ID_WIDTH = 24;
const SPANS_SHOWN = 5;
const PROBLEMS_SHOWN = 10;

/** The report for people. */
export function formatText(report: Report, color: boolean): string {
  const paint = painter(color);
  const lines: string[] = [];
  for (const run of report.runs) lines.push(...treeText(run, paint), "");
  const hidden = report.examined.runs - report.runs.filter(({ runId }) => runId !== undefined).length;
  if (hidden > 0) lines.push(paint("grey", `… and ${countPhrase(hidden, "run")} more`), "");
  if (report.problems.length > 0) lines.push(...problemLines(report, paint), "");
  for (const check of report.checks) lines.push(...checkLines(check, paint));
  lines.push("", ...verdictLines(report, paint));
  return `${lines.join("\n")}\n`;
}

function problemLines(report: Report, paint: Paint): string[] {
  const shown = report.problems.slice(0, PROBLEMS_SHOWN);
  const lines = shown.map((problem) => {
    const style = problem.level === "error" ? "red" : "yellow";
    const place = placePhrase(problem);
    return `${paint(style, "input")} ${cleanText(problem.message, 300)}${place === "" ? "" : ` ${place}`}`;
  });
  const hidden = report.skipped.unreadable - shown.length;
  return hidden > 0 ? [...lines, paint("grey", `      and ${hidden} more`)] : lines;
}

function checkLines(check: CheckResult, paint: Paint): string[] {
  const [mark, style] = MARKS[check.outcome];
  const warning = check.outcome === "fail" && check.level === "warning";
  const head = `${paint(warning ? "yellow" : style, warning ? "!" : mark)} ${check.id.padEnd(ID_WIDTH)} `;
  if (check.outcome === "pass" || check.outcome === "not-applicable") {
    const notes = check.notes.map((note) => paint("grey", `    ${note}`));
    const text = check.outcome === "pass" ? `${check.title} (${check.counts.pass})` : check.message;
    return [`${head}${paint("grey", text)}`, ...notes];
  }
  const lines = [`${head}${check.title}${warning ? paint("yellow", " (warning)") : ""}`];
  for (const findings of groupByReason(check.findings)) lines.push(...findingLines(findings, check, paint));
  if (check.omitted > 0) lines.push(paint("grey", `    and ${countPhrase(check.omitted, "finding")} more`));
  lines.push(...check.notes.map((note) => paint("grey", `    ${note}`)));
  if (check.counts.fail > 0) lines.push(`    ${paint("grey", `fix: ${check.fix}`)}`);
  return lines;
}

function findingLines(findings: readonly Finding[], check: CheckResult, paint: Paint): string[] {
  const [first] = findings;
  if (first === undefined) return [];
  const style = first.outcome === "fail" ? (check.level === "warning" ? "yellow" : "red") : "yellow";
  const lines = [
    `    ${paint(style, first.outcome === "unknown" ? `unknown: ${first.message}` : first.message)}`,
  ];
  for (const finding of findings.slice(0, SPANS_SHOWN)) {
    const about = finding.span === undefined ? "the run" : spanPhrase(finding.span);
    const detail = detailPhrase(finding);
    const run = finding.runId === undefined ? "" : ` run ${cleanText(finding.runId, 24)}`;
    lines.push(`      ${about}${paint("grey", run)}${detail === "" ? "" : `: ${detail}`}`);
  }
  const hidden = findings.length - SPANS_SHOWN;
  if (hidden > 0) lines.push(paint("grey", `      and ${hidden} more`));
  return lines;
}

function groupByReason(findings: readonly Finding[]): Finding[][] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = `${finding.outcome} ${finding.reason}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return [...groups.values()];
}

function verdictLines(report: Report, paint: Paint): string[] {
  const verdict = paint(VERDICT_STYLES[report.verdict], paint("bold", report.verdict.replaceAll("-", " ")));
  const lines = [`${verdict}: ${summaryPhrase(report)}`];
  if (report.nothing !== undefined) lines.push(nothingPhrase(report));
  const skipped = skippedPhrase(report);
  if (skipped !== "") lines.push(paint("grey", skipped));
  return lines;
}
