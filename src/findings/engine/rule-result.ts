/**
 * What there is to say about one rule, once everything is counted.
 *
 * @module
 */
import { cleanText } from "../../verify/clean-text.ts";
import type { RuleFinding, RuleOutcome, RuleResult } from "../finding.ts";
import { docsOf, type Rule } from "../rules/rule.ts";

/** The counts, and the outcome that they make. @param waits the rule reads what nobody in the input writes */
export function ruleResultOf(rule: Rule, counts: RuleResult["counts"], waits: boolean): RuleResult {
  const { id, title, severity, shadow = false } = rule;
  const outcome = outcomeOf(counts, waits);
  return {
    rule: id,
    title,
    severity,
    shadow,
    outcome,
    counts,
    message: messageOf(rule, outcome, counts.unknown),
    docs: docsOf(id),
  };
}

function outcomeOf({ examined, found, unknown }: RuleResult["counts"], waits: boolean): RuleOutcome {
  if (found > 0) return "found";
  if (waits || (examined === 0 && unknown === 0)) return "not-applicable";
  return unknown > 0 ? "unknown" : "clear";
}

function messageOf(rule: Rule, outcome: RuleOutcome, unknown: number): string {
  const cut =
    unknown === 0 ? "" : ` ${unknown} could not be judged: spans or labels were cut or came too late.`;
  switch (outcome) {
    case "found":
      return `${rule.message}${cut}`;
    case "clear":
      return "It does not fire.";
    case "unknown":
      return `It does not fire, as far as can be seen.${cut}`;
    case "not-applicable":
      return `Not applicable: needs ${rule.needs.join("; ")}.`;
  }
}

/** One finding as people and programs get it. */
export function ruleFindingOf(
  { id, severity, shadow, message, fix, fixClass }: Rule,
  { runId, span, evidence }: Pick<RuleFinding, "runId" | "span" | "evidence">,
): RuleFinding {
  return { rule: id, severity, shadow: shadow === true, runId, span, message, evidence, fix, fixClass };
}

/** Characters of a value that goes with a finding. */
export const EVIDENCE_LENGTH = 640;

/** A value of evidence, fit to be shown. */
export const shownEvidence = (value: string | number): string | number =>
  typeof value === "string" ? cleanText(value, EVIDENCE_LENGTH) : value;
