/**
 * Where the report goes: one document on standard output or in a file, and never half of one.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { formatReport } from "../../verify/format/format-report.ts";
import { formatHtml } from "../../verify/format/html.ts";
import { summaryPhrase } from "../../verify/format/phrases.ts";
import type { Report } from "../../verify/report.ts";
import { CliError } from "../cli-error.ts";
import type { CliIo } from "../io.ts";
import { inputName } from "../read-input.ts";
import { wantsColour } from "../style.ts";
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

// A reader of the file, and a full disk, see the old report or the new one.
async function writeWhole(path: string, text: string, name: string): Promise<void> {
  try {
    const target = await realpath(path).catch(() => path);
    const existing = await stat(target).catch(() => undefined);
    // A device or a pipe is written to; replacing it by a file would be a surprise.
    if (existing !== undefined && !existing.isFile() && !existing.isDirectory())
      return await writeFile(target, text);
    const beside = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}`);
    try {
      await writeFile(beside, text, { flag: "wx", mode: existing?.mode ?? 0o666 });
      await rename(beside, target);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
  } catch (error) {
    const { code = "no reason given" } = error as NodeJS.ErrnoException;
    throw new CliError("cannot_write", `${inputName(name)} cannot be written: ${REASONS[code] ?? code}`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "a part of the path is not a folder",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EISDIR: "it is a directory",
  ENOSPC: "the disk is full",
  EROFS: "the disk is read-only",
};
