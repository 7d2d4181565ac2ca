/**
 * The checks: what failed is open, what passed is folded away.
 *
 * @module
 */
import type { CheckResult, Finding, Outcome } from "../report.ts";
import type { Anchors } from "./html-anchors.ts";
import { html, type Markup, type Part } from "./html-markup.ts";

const SIGNS: Readonly<Record<Outcome, string>> = {
  pass: "✓ pass",
  fail: "✗ fail",
  unknown: "? unknown",
  "not-applicable": "– not applicable",
};

/** The checks with these outcomes, in the order of the outcomes; nothing when there is none. */
export function checkSection(
  heading: string,
  outcomes: readonly Outcome[],
  checks: readonly CheckResult[],
  anchors: Anchors,
): Markup | undefined {
  const shown = outcomes.flatMap((outcome) => checks.filter((check) => check.outcome === outcome));
  if (shown.length === 0) return undefined;
  return html`<section><h2>${heading}</h2>
${shown.map((check) => checkDetails(check, anchors))}</section>
`;
}

function checkDetails(check: CheckResult, anchors: Anchors): Markup {
  const { id, title, outcome, level, counts, findings, omitted, notes, message, fix, docs } = check;
  const failed = outcome === "fail";
  return html`<details class="check ${outcome}" id="${id}"${failed && html` open`}>
<summary><span class="outcome">${failed && level === "warning" ? "! warning" : SIGNS[outcome]}</span> <span class="title">${title}</span> <code>${id}</code> <span class="counts">${countsText(counts)}</span></summary>
<div class="body">
${findings.length === 0 && html`<p>${message}</p>`}
${findings.length > 0 && html`<ul>${findings.map((finding) => findingItem(finding, anchors))}</ul>`}
${omitted > 0 && html`<p class="dim">${omitted} more findings are not shown.</p>`}
${notes.map((note) => html`<p class="dim">${note}</p>`)}
${failed && html`<p><b>To fix it:</b> ${fix}</p>`}
<p class="dim">${docs}</p>
</div>
</details>
`;
}

function countsText({ pass, fail, unknown }: CheckResult["counts"]): string {
  return [
    ...(fail > 0 ? [`${fail} failed`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
    ...(pass > 0 ? [`${pass} passed`] : []),
  ].join(", ");
}

function findingItem(finding: Finding, anchors: Anchors): Markup {
  const { outcome, level, message, span, related, runId, attribute, observed, expected } = finding;
  const sign = outcome === "unknown" ? "?" : level === "warning" ? "!" : "✗";
  const rows: readonly (readonly [string, Part])[] = [
    ["span", span && anchors.linkTo(span)],
    ["related", related && anchors.linkTo(related)],
    ["run", runId !== undefined && html`<code>${runId}</code>`],
    ["label", attribute !== undefined && html`<code>${attribute}</code>`],
    ["found", observed !== undefined && html`<code>${observed}</code>`],
    ["expected", expected],
  ];
  return html`<li class="${outcome}"><p>${sign} ${message}</p>
<dl>${rows.filter(([, value]) => value !== undefined && value !== false).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></li>
`;
}
