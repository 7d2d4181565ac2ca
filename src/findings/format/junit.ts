/**
 * The findings as JUnit XML: one test case for each rule, so that test reporters show it beside the tests.
 *
 * @module
 */
import { junitDocument, SUITE, type TestCase, type TestSuite } from "../../verify/format/junit.ts";
import { placePhrase } from "../../verify/format/phrases.ts";
import { type FindingsReport, isSevereFinding, type RuleResult } from "../finding.ts";
import { evidencePhrase, findingsSummary, placeOf } from "./phrases.ts";

/** The findings as JUnit XML. A rule that only records, or is not severe, is a skipped test case when it fires. */
export function formatFindingsJunit(report: FindingsReport): string {
  return junitDocument([findingsSuite(report)]);
}

/** The suite of the rules, for a document that has others too. */
export function findingsSuite(report: FindingsReport): TestSuite {
  return {
    name: `${SUITE} findings`,
    cases: [...inputCases(report), ...report.rules.map((result) => ruleCase(result, report))],
    summary: findingsSummary(report),
  };
}

function inputCases({ problems }: FindingsReport): TestCase[] {
  const [first] = problems;
  if (first === undefined) return [];
  return [
    {
      name: "the input can be read",
      outcome: problems.some(({ level }) => level === "error") ? "failure" : "skipped",
      message: first.message,
      type: first.code,
      lines: problems.map((problem) => `${problem.message} ${placePhrase(problem)}`.trimEnd()),
    },
  ];
}

function ruleCase(result: RuleResult, { findings }: FindingsReport): TestCase {
  const { rule, outcome, message } = result;
  const own = findings.filter((finding) => finding.rule === rule);
  const [first] = own;
  return {
    name: rule,
    outcome:
      outcome === "clear" ? "passed" : outcome === "found" && isSevereFinding(result) ? "failure" : "skipped",
    message,
    type: outcome,
    lines: [
      ...own.map((finding) => `${finding.message} | ${placeOf(finding)} | ${evidencePhrase(finding)}`),
      ...(first === undefined ? [] : [`fix: ${first.fix}`]),
    ],
  };
}
