/**
 * Marks on the spans of a run: what was found about each, linked to where it is explained.
 *
 * @module
 */
import type { CheckResult, Finding, RunSummary, TreeSpan } from "../report.ts";
import { spanKey } from "./html-anchors.ts";

/** A mark. */
export interface SpanMark {
  /** The place on this page where it is explained. */
  readonly place: string;
  readonly text: string;
  readonly kind: "bad" | "warn" | "plain";
  /** The row stands out. A span that is merely a part of what was found has the mark alone. */
  readonly standsOut: boolean;
}

/** The marks of a span. */
export type MarksOn = (span: TreeSpan, run: RunSummary) => readonly SpanMark[];

/** Marks for what checks found. */
export function checkMarks(checks: readonly CheckResult[]): MarksOn {
  const findings = new Map<string, Map<string, Finding>>();
  for (const finding of checks.flatMap((check) => check.findings)) {
    if (finding.span === undefined) continue;
    const key = spanKey(finding.span);
    const known = findings.get(key) ?? new Map<string, Finding>();
    findings.set(key, known.set(`${finding.check} ${finding.outcome}`, finding));
  }
  return ({ span }) =>
    [...(findings.get(spanKey(span))?.values() ?? [])].map(({ check, outcome }) => ({
      place: check,
      text: `${outcome === "fail" ? "✗" : "?"} ${check}`,
      kind: outcome === "fail" ? "bad" : "warn",
      standsOut: false,
    }));
}
