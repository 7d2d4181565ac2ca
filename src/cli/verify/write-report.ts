/**
 * Where the report goes: one document on standard output or in a file, and never half of one.
 *
 * @module
 */
import { resolve } from "node:path";
import type { FindingsReport } from "../../findings/finding.ts";
import { formatFindings } from "../../findings/format/format-findings.ts";
import { findingsParts } from "../../findings/format/html.ts";
import { findingsSuite } from "../../findings/format/junit.ts";
import { findingsSummary } from "../../findings/format/phrases.ts";
import { formatReport } from "../../verify/format/format-report.ts";
import { formatGithub } from "../../verify/format/github.ts";
import { formatHtml } from "../../verify/format/html.ts";
import { formatJson } from "../../verify/format/json.ts";
import { formatJunit } from "../../verify/format/junit.ts";
import { summaryPhrase } from "../../verify/format/phrases.ts";
import type { Report } from "../../verify/report.ts";
import type { CliIo } from "../io.ts";
import { wantsColour } from "../style.ts";
import { writeWhole } from "../write-whole.ts";
import type { Format, VerifyRequest } from "./options.ts";

/** What decides where a report goes. */
export type ReportTarget = Pick<VerifyRequest, "format" | "output" | "quiet" | "noColor">;

/** True when a program reads standard output, so that everything for people has to go elsewhere. */
export const isForPrograms = ({ format, output }: Pick<ReportTarget, "format" | "output">): boolean =>
  format !== "text" && output === undefined;

/** What is written: the verifier's report, and, where they were asked for, the findings of the rules. */
export interface Written {
  readonly report: Report;
  readonly findings: FindingsReport | undefined;
}

/** Writes the report, and a line for people where the report is not for them. */
export async function writeReport(written: Written, target: ReportTarget, io: CliIo): Promise<void> {
  const { format, output, quiet, noColor } = target;
  const { report, findings } = written;
  const isAllWell = report.verdict === "pass" && (findings?.findings.length ?? 0) === 0;
  if (output !== undefined) {
    await writeWhole(resolve(io.cwd, output), rendered(written, format, false), output);
  } else if (format !== "text" || !quiet || !isAllWell) {
    io.stdout.write(rendered(written, format, wantsColour(io.stdout, io.env, noColor)));
  }
  if (!quiet && (format !== "text" || output !== undefined)) {
    io.stderr.write(`${report.verdict.replaceAll("-", " ")}: ${summaryPhrase(report)}\n`);
    if (findings !== undefined) io.stderr.write(`${findingsSummary(findings)}\n`);
  }
}

function rendered({ report, findings }: Written, format: Format, color: boolean): string {
  if (findings === undefined) {
    return format === "html" ? formatHtml(report) : formatReport(report, { format, color });
  }
  // A member of the same document; the report itself stays as it is.
  if (format === "json") return formatJson(report, { findings });
  // What could not be read has been said with the checks.
  const rules: FindingsReport = { ...findings, problems: [], unreadable: 0 };
  switch (format) {
    case "html":
      return formatHtml(report, [findingsParts(rules)]);
    case "junit":
      return formatJunit(report, [findingsSuite(rules)]);
    case "github":
      return formatGithub(report) + formatFindings(rules, { format });
    case "text":
      return `${formatReport(report, { format, color })}\n${formatFindings(rules, { color })}`;
  }
}
