/**
 * The report as one page that can be sent to somebody: everything is in the file, nothing is fetched, no script runs.
 *
 * @module
 */
import type { Report } from "../report.ts";
import { anchorsOf } from "./html-anchors.ts";
import { checkSection } from "./html-checks.ts";
import { html, type Markup } from "./html-markup.ts";
import { runSection } from "./html-run.ts";
import { STYLE } from "./html-style.ts";
import { countPhrase, nothingPhrase, placePhrase, skippedPhrase, summaryPhrase } from "./phrases.ts";

// Belt and braces: should markup of somebody else ever get in, the browser still runs and fetches nothing.
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The report as an HTML document. */
export function formatHtml(report: Report): string {
  const anchors = anchorsOf(report);
  const verdict = report.verdict.replaceAll("-", " ");
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>trustabl labels: ${verdict}</title>
${STYLE}
</head>
<body>
<h1>Labels on exported spans</h1>
<main>
<div class="verdict ${report.verdict}"><strong>${verdict}</strong><span>${summaryPhrase(report)}</span>${report.strict && html`<span class="chip">strict</span>`}
${report.nothing !== undefined && html`<p>${nothingPhrase(report.nothing)}</p>`}
${skippedPhrase(report) !== "" && html`<p class="dim">${skippedPhrase(report)}</p>`}</div>
${problemList(report)}
${checkSection("What was found", ["fail", "unknown"], report.checks, anchors)}
${
  report.runs.length > 0 &&
  html`<h2>Runs</h2>
${report.runs.map((run) => runSection(run, anchors))}`
}
${moreRuns(report)}
${checkSection("What holds", ["pass", "not-applicable"], report.checks, anchors)}
</main>
</body>
</html>
`.toString();
}

function problemList({ problems, skipped }: Report): Markup | undefined {
  if (problems.length === 0) return undefined;
  const hidden = skipped.unreadable - problems.length;
  return html`<h2>Input that could not be read</h2>
<ul class="problems">${problems.map((problem) => html`<li>${problem.level === "error" ? "✗" : "!"} ${problem.message} <span class="dim">${placePhrase(problem)}</span></li>`)}</ul>
${hidden > 0 && html`<p class="dim">and ${hidden} more</p>`}`;
}

function moreRuns({ runs, examined }: Report): Markup | undefined {
  const hidden = examined.runs - runs.filter(({ runId }) => runId !== undefined).length;
  return hidden > 0 ? html`<p class="dim">${countPhrase(hidden, "more run")} not shown.</p>` : undefined;
}
