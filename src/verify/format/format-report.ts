/**
 * A report as text: for people, for programs, for test reporters, for GitHub.
 *
 * @module
 */
import type { Report } from "../report.ts";
import { formatGithub } from "./github.ts";
import { formatJson } from "./json.ts";
import { formatJunit } from "./junit.ts";
import { formatText } from "./text.ts";

/** The renderings. */
export const REPORT_FORMATS = ["text", "json", "junit", "github"] as const;

/**
 * - `text`: for people
 * - `json`: one JSON document
 * - `junit`: JUnit XML, one test case for each check
 * - `github`: workflow commands that GitHub shows as annotations
 */
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Options of {@link formatReport}. */
export interface FormatOptions {
  /** Default `text`. */
  readonly format?: ReportFormat | undefined;
  /** Colours in the text, as terminal escapes. Default false. */
  readonly color?: boolean | undefined;
}

/**
 * The report as text, with a line end after the last line. Whatever spans are called, no rendering holds control
 * characters, terminal escapes or markup of theirs.
 *
 * @example
 * ```ts
 * import { formatReport, verify } from "agent-reliability-otel-labels/verify";
 *
 * console.log(formatReport(verify([]), { format: "json" }));
 * ```
 */
export function formatReport(report: Report, options: FormatOptions = {}): string {
  switch (options.format ?? "text") {
    case "text":
      return formatText(report, options.color === true);
    case "json":
      return formatJson(report);
    case "junit":
      return formatJunit(report);
    case "github":
      return formatGithub(report);
  }
}
