/**
 * The findings as workflow commands, which GitHub shows as annotations.
 *
 * @module
 */
import { command, MAX_ANNOTATIONS } from "../../verify/format/github.ts";
import { type FindingsReport, isSevereFinding, type RuleFinding } from "../finding.ts";
import { evidencePhrase, findingsSummary, placeOf } from "./phrases.ts";

/** One command on each line: what could not be read, the findings, then the summary. */
export function formatFindingsGithub(report: FindingsReport): string {
  const lines = [
    ...report.problems.map(({ level, message, source, line }) =>
      command(level, { file: source, line, title: "trustabl findings: input" }, message),
    ),
    ...report.findings.map(findingCommand),
  ].slice(0, MAX_ANNOTATIONS);
  const kind = report.findings.some(isSevereFinding) ? "error" : "notice";
  return `${[...lines, command(kind, { title: "trustabl findings" }, findingsSummary(report))].join("\n")}\n`;
}

function findingCommand(finding: RuleFinding): string {
  const { span, rule, message, shadow } = finding;
  return command(
    shadow ? "notice" : isSevereFinding(finding) ? "error" : "warning",
    { file: span.source, line: span.line, title: `trustabl findings: ${rule}` },
    [message, placeOf(finding), evidencePhrase(finding)].join(" | "),
  );
}
