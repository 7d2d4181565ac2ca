/**
 * The rules on a page: those that fire are open, the others folded away.
 *
 * @module
 */
import type { Anchors } from "../../verify/format/html-anchors.ts";
import { html, type Markup } from "../../verify/format/html-markup.ts";
import { countPhrase } from "../../verify/format/phrases.ts";
import {
  type FindingsReport,
  isSevereFinding,
  type RuleFinding,
  type RuleOutcome,
  type RuleResult,
} from "../finding.ts";
import { fieldRow } from "../rows/fields.ts";
import { placeOfRule } from "./html-marks.ts";

const SIGNS: Readonly<Record<Exclude<RuleOutcome, "found">, string>> = {
  clear: "✓ clear",
  unknown: "? unknown",
  "not-applicable": "– not applicable",
};
// A page with every finding of a large export would open in no browser.
const SHOWN = 50;

/** The rules with these outcomes, in the order of the outcomes; nothing when there is none. */
export function ruleSection(
  heading: string,
  outcomes: readonly RuleOutcome[],
  report: FindingsReport,
  anchors: Anchors,
): Markup | undefined {
  const shown = outcomes.flatMap((outcome) => report.rules.filter((rule) => rule.outcome === outcome));
  if (shown.length === 0) return undefined;
  return html`<section><h2>${heading}</h2>
${shown.map((rule) => ruleDetails(rule, report, anchors))}</section>
`;
}

function ruleDetails(result: RuleResult, report: FindingsReport, anchors: Anchors): Markup {
  const { rule, title, outcome, counts, message, docs } = result;
  const findings = report.findings.filter((finding) => finding.rule === rule);
  const [first] = findings;
  const hidden = counts.found - Math.min(findings.length, SHOWN);
  const examined = counts.examined > 0 ? `, ${counts.examined} looked at` : "";
  return html`<details class="check ${classOf(result)}" id="${placeOfRule(rule)}"${outcome === "found" && html` open`}>
<summary><span class="outcome">${signOf(result)}</span> <span class="title">${title}</span> <code>${rule}</code> <span class="counts">${outcome === "found" ? `${countPhrase(counts.found, "finding")}${examined}` : ""}</span></summary>
<div class="body">
<p>${message}</p>
${findings.length > 0 && html`<ul>${findings.slice(0, SHOWN).map((finding) => findingItem(finding, anchors))}</ul>`}
${hidden > 0 && html`<p class="dim">${countPhrase(hidden, "more finding")} not shown.</p>`}
${first && html`<p><b>What to do</b> (<code>${first.fixClass}</code>): ${first.fix}</p>`}
<p class="dim">${docs}</p>
</div>
</details>
`;
}

const signOf = ({ outcome, shadow, severity }: RuleResult): string =>
  outcome === "found" ? (shadow ? "● a record" : `✗ ${severity}`) : SIGNS[outcome];

function classOf(result: RuleResult): string {
  if (result.outcome === "found") return isSevereFinding(result) ? "fail" : "unknown";
  return result.outcome === "clear" ? "pass" : result.outcome;
}

// What is said by the link and the line below it need not be repeated.
const LINKED = fieldRow("tool").label;

function findingItem(finding: RuleFinding, anchors: Anchors): Markup {
  const { runId, span } = finding;
  const evidence = Object.entries(finding.evidence).filter(([name]) => name !== LINKED);
  return html`<li class="${isSevereFinding(finding) && "fail"}"><p>${anchors.linkTo(span)}${runId !== undefined && html` <span class="dim">run</span> <code>${runId}</code>`}</p>
<p class="evidence">${evidence.map(([name, value]) => html`<span><span class="dim">${name.replace(/^trustabl\./, "")}</span> <code>${value}</code></span> `)}</p></li>
`;
}
