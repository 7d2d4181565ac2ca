/**
 * Where the report goes: one document on standard output or in a file, and never half of one.
 *
 * @module
 */
import { resolve } from "node:path";
import type { FindingsReport } from "../../findings/finding.ts";
import { formatFindings } from "../../findings/format/format-findings.ts";
import { findingsSummary } from "../../findings/format/phrases.ts";
import { formatReport } from "../../verify/format/format-report.ts";
import { formatHtml } from "../../verify/format/html.ts";
import { formatJson } from "../../verify/format/json.ts";
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
  if (format === "html") return formatHtml(report);
  if (findings === undefined) return formatReport(report, { format, color });
  // A member of the same document; the report itself stays as it is.
  if (format === "json") return formatJson(report, { findings });
  return `${formatReport(report, { format, color })}\n${formatFindings(findings, { color })}`;
}
