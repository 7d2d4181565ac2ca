/**
 * Marks of findings on the spans of a run: the span that completes what a rule looks for, and the other calls of the same
 * tool with the same arguments, which are parts of it.
 *
 * @module
 */
import { cleanText } from "../../verify/clean-text.ts";
import { spanKey } from "../../verify/format/html-anchors.ts";
import type { MarksOn, SpanMark } from "../../verify/format/html-marks.ts";
import type { RunSummary, TreeSpan } from "../../verify/report.ts";
import { type FindingsReport, isSevereFinding, type RuleFinding } from "../finding.ts";
import { fieldRow } from "../rows/fields.ts";
import type { RuleId } from "../rules/rule.ts";

const INPUT_FP = fieldRow("inputFp").label;
const TOOL = fieldRow("tool").label;
const NAME_LENGTH = 80;

/** The place on the page where a rule is explained. The ids of the checks stand on the same page. */
export const placeOfRule = (rule: RuleId): string => `rule-${rule}`;

/** Marks for what rules found. */
export function findingMarks({ findings }: FindingsReport): MarksOn {
  const bySpan = groupBy(findings, ({ span }) => spanKey(span));
  const byCall = groupBy(findings, callOfFinding);
  return (span, run) => {
    const own = bySpan.get(spanKey(span.span)) ?? [];
    const others = (byCall.get(callOfSpan(span, run) ?? "") ?? []).filter((one) => !own.includes(one));
    return [...distinctRules(own).map(ownMark), ...distinctRules(others).map(partMark)];
  };
}

const ownMark = (finding: RuleFinding): SpanMark => ({
  place: placeOfRule(finding.rule),
  text: `${finding.shadow ? "●" : "✗"} ${finding.rule}`,
  kind: isSevereFinding(finding) ? "bad" : "warn",
  standsOut: true,
});

const partMark = ({ rule }: RuleFinding): SpanMark => ({
  place: placeOfRule(rule),
  text: `part of ${rule}`,
  kind: "plain",
  standsOut: false,
});

const distinctRules = (findings: readonly RuleFinding[]): RuleFinding[] => [
  ...new Map(findings.map((finding) => [finding.rule, finding])).values(),
];

function groupBy(
  findings: readonly RuleFinding[],
  keyOf: (finding: RuleFinding) => string | undefined,
): Map<string, RuleFinding[]> {
  const groups = new Map<string, RuleFinding[]>();
  for (const finding of findings) {
    const key = keyOf(finding);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return groups;
}

// Only where the rule is about equal calls: an irreversible call is no part of the same call's next finding.
const ABOUT_EQUAL_CALLS: ReadonlySet<RuleId> = new Set(["tool_loop", "retry_storm", "false_idempotent"]);

function callOfFinding({ rule, runId, evidence }: RuleFinding): string | undefined {
  const fingerprint = evidence[INPUT_FP];
  if (!ABOUT_EQUAL_CALLS.has(rule) || fingerprint === undefined || runId === undefined) return undefined;
  return callKey(runId, evidence[TOOL], fingerprint);
}

function callOfSpan({ role, toolName, labels }: TreeSpan, { runId }: RunSummary): string | undefined {
  const fingerprint = labels[INPUT_FP];
  const run = labels["trustabl.run_id"] ?? runId;
  return role !== "tool" || fingerprint === undefined ? undefined : callKey(run, toolName, fingerprint);
}

// Evidence keeps more of a long name than a tree does.
function callKey(run: unknown, tool: string | number | undefined, fingerprint: unknown): string {
  return JSON.stringify([run, tool === undefined ? "" : cleanText(String(tool), NAME_LENGTH), fingerprint]);
}
