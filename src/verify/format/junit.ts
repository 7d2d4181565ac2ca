/**
 * The report as JUnit XML: one test case for each check, so that test reporters show it beside the tests.
 *
 * @module
 */
import { cleanText } from "../clean-text.ts";
import type { CheckResult, Finding, Report } from "../report.ts";
import { detailPhrase, nothingPhrase, placePhrase, spanPhrase, summaryPhrase } from "./phrases.ts";

/** One test case, as the formats of this package write it. */
export interface TestCase {
  readonly name: string;
  readonly outcome: "passed" | "failure" | "error" | "skipped";
  readonly message: string;
  readonly type: string;
  readonly lines: readonly string[];
}

/** Test cases that belong together. */
export interface TestSuite {
  readonly name: string;
  readonly cases: readonly TestCase[];
  /** One line on the whole. */
  readonly summary: string;
}

/** What suites of this package are called. */
export const SUITE = "agent-reliability-otel-labels";

/**
 * The report as JUnit XML. An unknown outcome is a skipped test case; in strict mode it is a failure.
 *
 * @param more suites of others, in the same document
 */
export function formatJunit(report: Report, more: readonly TestSuite[] = []): string {
  const cases = [...inputCases(report), ...report.checks.map((check) => checkCase(check, report.strict))];
  return junitDocument([{ name: SUITE, cases, summary: summaryPhrase(report) }, ...more]);
}

/** Suites as a document. */
export function junitDocument(suites: readonly TestSuite[]): string {
  const all = countsOf(suites.flatMap(({ cases }) => cases));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${SUITE}" tests="${all.tests}" failures="${all.failures}" errors="${all.errors}">`,
    ...suites.flatMap(suiteLines),
    "</testsuites>",
    "",
  ].join("\n");
}

function suiteLines({ name, cases, summary }: TestSuite): string[] {
  const counts = Object.entries(countsOf(cases)).map(([kind, count]) => `${kind}="${count}"`);
  return [
    `  <testsuite name="${escapeXml(name)}" ${counts.join(" ")}>`,
    ...cases.flatMap((one) => caseLines(one, name)),
    `    <system-out>${escapeXml(summary)}</system-out>`,
    "  </testsuite>",
  ];
}

function countsOf(cases: readonly TestCase[]) {
  const count = (outcome: TestCase["outcome"]): number =>
    cases.filter((one) => one.outcome === outcome).length;
  return {
    tests: cases.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
  };
}

function inputCases(report: Report): TestCase[] {
  const lines = report.problems.map((problem) => [problem.message, placePhrase(problem)].join(" ").trim());
  if (report.nothing !== undefined) {
    return [
      {
        name: "there is something to check",
        outcome: "error",
        message: nothingPhrase(report),
        type: report.nothing,
        lines,
      },
    ];
  }
  if (report.problems.length === 0) return [];
  const failed = report.strict || report.problems.some(({ level }) => level === "error");
  return [
    {
      name: "the input can be read",
      outcome: failed ? "failure" : "skipped",
      message: report.problems[0]?.message ?? "",
      type: report.problems[0]?.code ?? "",
      lines,
    },
  ];
}

function checkCase(check: CheckResult, strict: boolean): TestCase {
  const failed =
    (check.outcome === "fail" && check.level === "error") || (strict && check.outcome === "unknown");
  return {
    name: check.id,
    outcome: check.outcome === "pass" ? "passed" : failed ? "failure" : "skipped",
    message: check.outcome === "unknown" ? `unknown: ${check.message}` : check.message,
    type: check.findings[0]?.reason ?? check.outcome,
    lines: [...check.findings.map(findingLine), ...(check.counts.fail > 0 ? [`fix: ${check.fix}`] : [])],
  };
}

function findingLine(finding: Finding): string {
  const about = finding.span === undefined ? `run ${finding.runId ?? ""}` : spanPhrase(finding.span);
  return [`${finding.outcome}: ${finding.message}`, about, detailPhrase(finding)]
    .filter((part) => part !== "")
    .join(" | ");
}

function caseLines({ name, outcome, message, type, lines }: TestCase, suite: string): string[] {
  const open = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}"`;
  if (outcome === "passed") return [`${open}/>`];
  if (outcome === "skipped") {
    return [`${open}>`, `      <skipped message="${escapeXml(message)}"/>`, "    </testcase>"];
  }
  return [
    `${open}>`,
    `      <${outcome} message="${escapeXml(message)}" type="${escapeXml(type)}">${escapeXml(lines.join("\n"))}</${outcome}>`,
    "    </testcase>",
  ];
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

// XML has no way at all to hold most control characters, so they are replaced before the rest is escaped.
function escapeXml(text: string): string {
  return text
    .split("\n")
    .map((line) => cleanText(line, 2_000).replace(/[&<>"']/g, (character) => ESCAPES[character] as string))
    .join("\n")
    .replace(/[\ufffe\uffff]/g, "\ufffd");
}
