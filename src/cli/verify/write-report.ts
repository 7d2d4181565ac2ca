/**
 * Where the report goes: one document on standard output or in a file, and never half of one.
 *
 * @module
 */
import { resolve } from "node:path";
import { formatReport } from "../../verify/format/format-report.ts";
import { formatHtml } from "../../verify/format/html.ts";
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

/** Writes the report, and a line for people where the report is not for them. */
export async function writeReport(report: Report, target: ReportTarget, io: CliIo): Promise<void> {
  const { format, output, quiet, noColor } = target;
  if (output !== undefined) {
    await writeWhole(resolve(io.cwd, output), rendered(report, format, false), output);
  } else if (format !== "text" || !quiet || report.verdict !== "pass") {
    io.stdout.write(rendered(report, format, wantsColour(io.stdout, io.env, noColor)));
  }
  if (!quiet && (format !== "text" || output !== undefined)) {
    io.stderr.write(`${report.verdict.replaceAll("-", " ")}: ${summaryPhrase(report)}\n`);
  }
}

function rendered(report: Report, format: Format, color: boolean): string {
  return format === "html" ? formatHtml(report) : formatReport(report, { format, color });
}
