/**
 * The findings as a page, or as a part of the page of the checks.
 *
 * @module
 */
import { problemList } from "../../verify/format/html.ts";
import { html, type Markup } from "../../verify/format/html-markup.ts";
import { htmlPage, type PageParts } from "../../verify/format/html-page.ts";
import { countPhrase } from "../../verify/format/phrases.ts";
import { type FindingsReport, isSevereFinding } from "../finding.ts";
import { findingMarks } from "./html-marks.ts";
import { ruleSection } from "./html-rules.ts";
import { judgedPhrase } from "./phrases.ts";

/** The findings as an HTML document. */
export function formatFindingsHtml(report: FindingsReport): string {
  return htmlPage("What the agents did", [findingsParts(report)]);
}

/** What the findings say on a page. */
export function findingsParts(report: FindingsReport): PageParts {
  const { problems, unreadable, runs = [] } = report;
  return {
    title: `trustabl findings: ${headline(report)}`,
    banner: html`${banner(report)}
${problemList(problems, unreadable)}`,
    found: (anchors) => ruleSection("What the rules found", ["found", "unknown"], report, anchors),
    runs,
    moreRuns: moreRuns(report),
    holds: (anchors) => ruleSection("Rules that do not fire", ["clear", "not-applicable"], report, anchors),
    marksOn: findingMarks(report),
  };
}

function headline({ findings, omitted, rules }: FindingsReport): string {
  if (findings.length > 0) return countPhrase(findings.length + omitted, "finding");
  return rules.every(({ outcome }) => outcome === "not-applicable") ? "nothing was judged" : "no findings";
}

function banner(report: FindingsReport): Markup {
  const { findings, rules, literal } = report;
  const kind = findings.some(isSevereFinding)
    ? "fail"
    : findings.length > 0 || rules.every(({ outcome }) => outcome === "not-applicable")
      ? "nothing-to-check"
      : "pass";
  return html`<div class="verdict ${kind}"><strong>${headline(report)}</strong><span>${judgedPhrase(report)}</span>${literal && html`<span class="chip">to the letter</span>`}</div>`;
}

function moreRuns({ runs = [], findings }: FindingsReport): Markup | undefined {
  const shown = new Set(runs.flatMap((run) => run.tree.map(({ labels }) => labels["trustabl.run_id"])));
  const found = new Set(findings.map(({ runId }) => runId));
  const hidden = [...found].filter((runId) => runId !== undefined && !shown.has(runId)).length;
  return hidden > 0
    ? html`<p class="dim">${countPhrase(hidden, "more run")} with findings not shown.</p>`
    : undefined;
}
