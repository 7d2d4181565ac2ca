/**
 * What the rules say about a set of spans, as data. Holds labels and ids, never an argument, a result or a value that
 * has not the form it should have: a label that repeats what was captured in its trace is withheld.
 *
 * @module
 */
import type { InputProblem, RunSummary, SpanReference } from "../verify/report.ts";
import type { RuleId, Severity } from "./rules/rule.ts";

/** One thing that a rule found. */
export interface RuleFinding {
  /** Id of the rule that fired, one of `RULE_IDS`. */
  readonly rule: RuleId;
  /** How bad it is: the rule's own severity. */
  readonly severity: Severity;
  /** A rule that only records: what it finds is worth a look, and wrong by no means. */
  readonly shadow: boolean;
  /** Missing where the spans carry no run id; then the finding is about one trace. */
  readonly runId?: string | undefined;
  /** The span that completes what the rule looks for. */
  readonly span: SpanReference;
  /** One sentence for people; constant for each rule. */
  readonly message: string;
  /** Labels of the span, by name, and what the rule counted: `count`, `missing`. */
  readonly evidence: Readonly<Record<string, string | number>>;
  /** What to do, in one sentence. */
  readonly fix: string;
  /** Stable name of the kind of fix, `policy.cap_tool`. */
  readonly fixClass: string;
}

/**
 * - `found`: the rule fires
 * - `clear`: it looked at something, and does not fire
 * - `unknown`: it does not fire, and what it would have to see was cut, came late or was dropped
 * - `not-applicable`: what it looks at is not there; nothing is said
 */
export type RuleOutcome = "found" | "clear" | "unknown" | "not-applicable";

/** What one rule found. */
export interface RuleResult {
  /** One of `RULE_IDS`; each rule has one result. */
  readonly rule: RuleId;
  /** What is going on when it fires; a headline. */
  readonly title: string;
  /** How bad it is when it fires. */
  readonly severity: Severity;
  /** `true`: the rule only records, as in its findings. */
  readonly shadow: boolean;
  /** Whether it fired. `unknown` and `not-applicable` say nothing against the run, and nothing for it. */
  readonly outcome: RuleOutcome;
  /** How many things were looked at, found, and impossible to tell. Exact, also when findings were left out. */
  readonly counts: { readonly examined: number; readonly found: number; readonly unknown: number };
  /** One sentence on the outcome: `not applicable: needs ...`. */
  readonly message: string;
  /** Path of the explanation, relative to the package. */
  readonly docs: string;
}

/** What the rules say about a set of spans. */
export interface FindingsReport {
  /** The rules were read to the letter. */
  readonly literal: boolean;
  /** How much was looked at: spans, runs, and tool calls, where nested spans of one call count once. */
  readonly examined: { readonly spans: number; readonly runs: number; readonly toolCalls: number };
  /** True when part of the input was not seen: unreadable, cut off, or later than the window allows. */
  readonly incomplete: boolean;
  /** Parts of the input that could not be read. */
  readonly unreadable: number;
  /** The first of them. */
  readonly problems: readonly InputProblem[];
  /** One result for each rule that was asked for, in the order of `RULE_IDS`. */
  readonly rules: readonly RuleResult[];
  /** Most severe first, then by time. At most `maxFindings` of each rule. */
  readonly findings: readonly RuleFinding[];
  /** How many findings were left out. */
  readonly omitted: number;
  /** The first runs in which something was found. Missing unless `maxRuns` asks for them. */
  readonly runs?: readonly RunSummary[] | undefined;
}

/** True for what makes the command line fail: high or critical, and no mere record. */
export function isSevereFinding({ severity, shadow }: Pick<RuleFinding, "severity" | "shadow">): boolean {
  return !shadow && (severity === "high" || severity === "critical");
}
