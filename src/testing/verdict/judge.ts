/**
 * The verifier's verdict on recorded spans, and what only a recording knows: which spans never ended.
 *
 * @module
 */
import { cleanText } from "../../verify/clean-text.ts";
import { formatReport, type Report, type VerifyOptions, verify } from "../../verify/index.ts";
import { mattersToLabels } from "../recording/span-queries.ts";
import type { RecordedSpan } from "../recording/span-types.ts";

/** Open spans that one message lists. */
const MAX_OPEN_SHOWN = 20;

/** Options of everything that judges a recording. */
export interface AssertVerifiedOptions extends VerifyOptions {
  /** Accept agent and tool spans that never ended. Default false: no exporter ever sees them or their labels. */
  readonly allowUnended?: boolean | undefined;
}

/** A verdict, and the text that explains it. */
export interface Judgement {
  /** True when every check passed and no span that carries labels, or should, was left open. */
  readonly holds: boolean;
  /** True when something is wrong; both are false where there was nothing to check. */
  readonly fails: boolean;
  readonly report: Report;
  /** For people; without colours. */
  readonly text: string;
}

/**
 * Judges spans, finished or not.
 *
 * @throws VerifyOptionsError on an option that cannot be used
 */
export function judge(spans: readonly RecordedSpan[], options: AssertVerifiedOptions = {}): Judgement {
  const open =
    options.allowUnended === true ? [] : spans.filter((span) => !span.ended && mattersToLabels(span));
  const judgement = judgeReport(verify(spans, options));
  if (open.length === 0) return judgement;
  return { ...judgement, holds: false, fails: true, text: `${judgement.text}\n${openSpansText(open)}` };
}

/** Judges by a report alone, which says nothing of spans that are still open. */
export function judgeReport(report: Report): Judgement {
  return {
    holds: report.verdict === "pass",
    fails: report.verdict === "fail",
    report,
    text: formatReport(report),
  };
}

function openSpansText(open: readonly RecordedSpan[]): string {
  const lines = open.slice(0, MAX_OPEN_SHOWN).map((span) => `  ${spanTitle(span)}`);
  if (open.length > MAX_OPEN_SHOWN) lines.push(`  and ${open.length - MAX_OPEN_SHOWN} more`);
  return `Started and never ended, so that no exporter ever sees what is on them:\n${lines.join("\n")}\n`;
}

/** A span as messages name it. */
export function spanTitle(span: RecordedSpan): string {
  return `${cleanText(span.name, 80)} (span ${span.spanContext().spanId})`;
}
