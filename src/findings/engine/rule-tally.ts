/**
 * Counting what one rule says, and keeping the first findings.
 *
 * @module
 */
import { cleanText } from "../../verify/clean-text.ts";
import { KeptSmallest } from "../../verify/engine/kept-smallest.ts";
import { compareText } from "../../verify/engine/span-record.ts";
import { referenceOf } from "../../verify/engine/tally.ts";
import { judgeCondition } from "../conditions/judge.ts";
import type { Hit, Judged } from "../conditions/judged.ts";
import type { RuleFinding, RuleResult } from "../finding.ts";
import type { FindingsSettings } from "../options.ts";
import { type Field, fieldRow } from "../rows/fields.ts";
import type { SpanRow } from "../rows/span-row.ts";
import { type Condition, conditionOf, isAboutRuns, type Rule } from "../rules/rule.ts";
import { ruleFindingOf, ruleResultOf, shownEvidence } from "./rule-result.ts";

const SOURCE_LENGTH = 200;

interface Kept {
  readonly finding: RuleFinding;
  readonly start: number;
}

/** What one rule has said so far. */
export class RuleTally {
  readonly rule: Rule;
  readonly condition: Condition;
  readonly #isGated: boolean;
  readonly #kept: KeptSmallest<Kept>;
  #examined = 0;
  #unknown = 0;

  constructor(rule: Rule, { literal, maxFindings }: FindingsSettings) {
    this.rule = rule;
    this.condition = conditionOf(rule, literal);
    // The letter knows nothing of labels that nobody writes.
    this.#isGated = rule.foreign !== undefined && !(literal && rule.literal !== undefined);
    this.#kept = new KeptSmallest(maxFindings, byTime);
  }

  /** True when the rule reads what another program writes, and nothing in the input was written by one. */
  waitsFor(seen: ReadonlySet<Field>): boolean {
    return this.#isGated && !(this.rule.foreign ?? []).some((field) => seen.has(field));
  }

  /** What the rule says of these rows. Counts nothing. */
  judge(rows: readonly SpanRow[], runId: string | undefined): Judged | undefined {
    return runId === undefined && isAboutRuns(this.condition)
      ? undefined
      : judgeCondition(this.condition, rows);
  }

  /**
   * Judges the rows of one run, or of one trace without a run.
   *
   * @param isWhole false when rows were left out or came late
   * @returns true when it finds something
   */
  add(rows: readonly SpanRow[], runId: string | undefined, isWhole: boolean): boolean {
    const judged = this.judge(rows, runId);
    if (judged === undefined) return false;
    this.#examined += judged.examined;
    this.#unknown += judged.unknown + (isWhole || judged.examined === 0 ? 0 : 1);
    for (const hit of judged.hits)
      this.#kept.add({ finding: findingOf(this.rule, hit, runId), start: hit.row.span.start });
    return judged.hits.length > 0;
  }

  /** What there is to report. @param seen fields of other programs that are in the input */
  result(seen: ReadonlySet<Field>): {
    readonly result: RuleResult;
    readonly findings: readonly RuleFinding[];
    readonly omitted: number;
  } {
    const waits = this.waitsFor(seen);
    const found = waits ? 0 : this.#kept.count;
    const findings = waits ? [] : this.#kept.sorted().map(({ finding }) => finding);
    const counts = { examined: this.#examined, found, unknown: this.#unknown };
    return {
      result: ruleResultOf(this.rule, counts, waits),
      findings,
      omitted: found - findings.length,
    };
  }
}

/** One finding as people and programs get it. */
export function findingOf(rule: Rule, hit: Hit, runId: string | undefined): RuleFinding {
  const evidence: Record<string, string | number> = {};
  if (hit.evidence === undefined || "missing" in hit.evidence) {
    for (const field of rule.evidence) {
      const value = hit.values[field];
      if (value !== undefined && typeof value !== "boolean")
        evidence[fieldRow(field).label] = shownEvidence(value);
    }
  }
  for (const [name, value] of Object.entries(hit.evidence ?? {})) evidence[name] = shownEvidence(value);
  evidence.count = hit.count;
  const span = referenceOf(hit.row.span);
  return ruleFindingOf(rule, {
    runId,
    span: { ...span, source: span.source === undefined ? undefined : cleanText(span.source, SOURCE_LENGTH) },
    evidence,
  });
}

function byTime(a: Kept, b: Kept): number {
  return a.start - b.start || compareText(keyOf(a), keyOf(b));
}

const keyOf = ({ finding: { span, runId, evidence } }: Kept): string =>
  `${span.traceId}\n${span.spanId}\n${runId ?? ""}\n${JSON.stringify(evidence)}`;
