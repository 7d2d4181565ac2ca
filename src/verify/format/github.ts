/**
 * The report as workflow commands, which GitHub shows as annotations on the run and, where the input's file is in the
 * repository, on its lines.
 *
 * @module
 */
import { cleanText } from "../clean-text.ts";
import type { Finding, InputProblem, Report } from "../report.ts";
import { detailPhrase, nothingPhrase, skippedPhrase, spanPhrase, summaryPhrase } from "./phrases.ts";

type Command = "error" | "warning" | "notice";

/** GitHub shows ten annotations of a kind for each step; the rest only lengthens the log. */
export const MAX_ANNOTATIONS = 50;

/** One command on each line: failures first, then unknown outcomes, then the summary. */
export function formatGithub(report: Report): string {
  const findings = report.checks.flatMap((check) => check.findings);
  const failed = findings.filter(({ outcome }) => outcome === "fail");
  const unknown = findings.filter(({ outcome }) => outcome === "unknown");
  const lines = [
    ...report.problems.map((problem) => problemCommand(problem, report.strict)),
    ...failed.map((finding) => findingCommand(finding.level, finding)),
    ...unknown.map((finding) => findingCommand(report.strict ? "error" : "notice", finding)),
  ].slice(0, MAX_ANNOTATIONS);
  const summary = [summaryPhrase(report), nothingPhrase(report), skippedPhrase(report)].filter(
    (part) => part !== "",
  );
  const kind: Command = report.verdict === "pass" ? "notice" : "error";
  lines.push(command(kind, { title: `trustabl labels: ${report.verdict}` }, summary.join("; ")));
  return `${lines.join("\n")}\n`;
}

function problemCommand({ level, message, source, line }: InputProblem, strict: boolean): string {
  return command(strict ? "error" : level, { file: source, line, title: "trustabl labels: input" }, message);
}

function findingCommand(kind: Command, finding: Finding): string {
  const { span, check, message } = finding;
  const parts = [message, span === undefined ? "" : spanPhrase(span), detailPhrase(finding)];
  return command(
    kind,
    { file: span?.source, line: span?.line, title: `trustabl labels: ${check}` },
    parts.filter((part) => part !== "").join(" | "),
  );
}

/** One workflow command. Nothing in it can begin another one. */
export function command(
  kind: Command,
  properties: Readonly<Record<string, string | number | undefined>>,
  message: string,
): string {
  const list = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
    .join(",");
  return `::${kind} ${list}::${escapeData(message)}`;
}

// A line end would begin a new command.
const escapeData = (text: string): string =>
  cleanText(text, 1_000).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
