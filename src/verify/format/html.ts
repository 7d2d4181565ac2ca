/**
 * The report as one page.
 *
 * @module
 */
import type { Report } from "../report.ts";
import { checkSection } from "./html-checks.ts";
import { checkMarks } from "./html-marks.ts";
import { html, type Markup } from "./html-markup.ts";
import { htmlPage, type PageParts } from "./html-page.ts";
import { countPhrase, nothingPhrase, placePhrase, skippedPhrase, summaryPhrase } from "./phrases.ts";

/**
 * The report as an HTML document.
 *
 * @param more what else the page says of the same spans
 */
export function formatHtml(report: Report, more: readonly PageParts[] = []): string {
  return htmlPage("Labels on exported spans", [checkParts(report), ...more]);
}

function checkParts(report: Report): PageParts {
  const { checks, runs } = report;
  return {
    title: `trustabl labels: ${verdictOf(report)}`,
    banner: html`${banner(report)}
${problemList(report.problems, report.skipped.unreadable)}`,
    found: (anchors) => checkSection("What was found", ["fail", "unknown"], checks, anchors),
    runs,
    moreRuns: moreRuns(report),
    holds: (anchors) => checkSection("What holds", ["pass", "not-applicable"], checks, anchors),
    marksOn: checkMarks(checks),
  };
}

const verdictOf = ({ verdict }: Report): string => verdict.replaceAll("-", " ");

function banner(report: Report): Markup {
  return html`<div class="verdict ${report.verdict}"><strong>${verdictOf(report)}</strong><span>${summaryPhrase(report)}</span>${report.strict && html`<span class="chip">strict</span>`}
${report.nothing !== undefined && html`<p>${nothingPhrase(report)}</p>`}
${skippedPhrase(report) !== "" && html`<p class="dim">${skippedPhrase(report)}</p>`}</div>`;
}

/** What could not be read. @param unreadable how many problems there are; the first are listed */
export function problemList(problems: Report["problems"], unreadable: number): Markup | undefined {
  if (problems.length === 0) return undefined;
  const hidden = unreadable - problems.length;
  return html`<h2>Input that could not be read</h2>
<ul class="problems">${problems.map((problem) => html`<li>${problem.level === "error" ? "✗" : "!"} ${problem.message} <span class="dim">${placePhrase(problem)}</span></li>`)}</ul>
${hidden > 0 && html`<p class="dim">and ${hidden} more</p>`}`;
}

function moreRuns({ runs, examined }: Report): Markup | undefined {
  const hidden = examined.runs - runs.filter(({ runId }) => runId !== undefined).length;
  return hidden > 0 ? html`<p class="dim">${countPhrase(hidden, "more run")} not shown.</p>` : undefined;
}
