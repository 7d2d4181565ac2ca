/**
 * The report as one JSON document.
 *
 * @module
 */
import type { Report } from "../report.ts";

/** Raised when a member changes its meaning or goes away; new members do not raise it. */
const JSON_VERSION = 1;

/**
 * The report's own members, after a version.
 *
 * @param more members that come after them
 */
export function formatJson(report: Report, more: object = {}): string {
  return `${JSON.stringify({ version: JSON_VERSION, ...report, ...more }, null, 2)}\n`;
}
