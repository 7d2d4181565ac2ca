/**
 * Findings as text: for people, for programs, for test reporters, for GitHub, and as a page.
 *
 * @module
 */
import type { FindingsReport } from "../finding.ts";
import { formatFindingsGithub } from "./github.ts";
import { formatFindingsHtml } from "./html.ts";
import { formatFindingsJunit } from "./junit.ts";
import { formatFindingsText } from "./text.ts";

/** The renderings. */
export const FINDINGS_FORMATS = ["text", "json", "junit", "github", "html"] as const;

/**
 * One of {@link FINDINGS_FORMATS}; as of `formatReport` of the subpath `/verify`. `html` is a page that fetches and runs
 * nothing; it shows the runs that the option `maxRuns` asked for.
 */
export type FindingsFormat = (typeof FINDINGS_FORMATS)[number];

/** Options of {@link formatFindings}. */
export interface FindingsFormatOptions {
  /** Default `text`. */
  readonly format?: FindingsFormat | undefined;
  /** Colours in the text, as terminal escapes. Default false. */
  readonly color?: boolean | undefined;
}

/** Raised when a member changes its meaning or goes away; new members do not raise it. */
const JSON_VERSION = 1;

/**
 * The findings as text, with a line end after the last line. Whatever spans are called, no rendering holds control
 * characters, terminal escapes or markup of theirs.
 *
 * @example
 * ```ts
 * import { findings, formatFindings } from "agent-reliability-otel-labels/findings";
 *
 * console.log(formatFindings(findings([]), { format: "json" }));
 * ```
 */
export function formatFindings(report: FindingsReport, options: FindingsFormatOptions = {}): string {
  switch (options.format ?? "text") {
    case "text":
      return formatFindingsText(report, options.color === true);
    case "json":
      return `${JSON.stringify({ version: JSON_VERSION, ...report }, null, 2)}\n`;
    case "junit":
      return formatFindingsJunit(report);
    case "github":
      return formatFindingsGithub(report);
    case "html":
      return formatFindingsHtml(report);
  }
}
