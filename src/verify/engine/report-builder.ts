/**
 * Putting the report together: what was counted, what was left out, and the verdict.
 *
 * @module
 */
import { cleanText } from "../clean-text.ts";
import type { VerifySettings } from "../options.ts";
import type { OtherSignal } from "../read/span-sink.ts";
import type { CheckResult, InputProblem, NothingReason, Report } from "../report.ts";
import { KeptSmallest } from "./kept-smallest.ts";
import { LeakedTexts } from "./leaked-texts.ts";
import { summariesOf } from "./run-summary.ts";
import { type RunTree, runTrees } from "./run-tree.ts";
import type { SealedRun } from "./sealed-run.ts";
import type { SealedTrace } from "./sealed-trace.ts";
import { compareText, type NotableSpan } from "./span-record.ts";

const MAX_PROBLEMS = 100;
const SOURCE_LENGTH = 200;

/** Collects what the report says besides the checks. */
export class ReportBuilder {
  readonly #settings: VerifySettings;
  readonly #examined = { spans: 0, traces: 0, runs: 0, agentSpans: 0, toolSpans: 0, labelledSpans: 0 };
  readonly #skipped = { duplicates: 0, otherRuns: 0, otherSignals: 0, unreadable: 0 };
  readonly #problems: InputProblem[] = [];
  readonly #trees: KeptSmallest<RunTree, Place>;
  readonly #leaked = new LeakedTexts();
  #uncertain = 0;
  #damaged = false;

  constructor(settings: VerifySettings) {
    this.#settings = settings;
    // One run can be in several traces.
    this.#trees = new KeptSmallest(settings.maxRuns * 4, byTime);
  }

  sawLateSpan(): void {
    this.#uncertain += 1;
  }

  sawDuplicate(): void {
    this.#skipped.duplicates += 1;
  }

  sawOtherSignal(_signal: OtherSignal, records: number): void {
    this.#skipped.otherSignals += records;
  }

  sawProblem(problem: InputProblem): void {
    this.#skipped.unreadable += 1;
    if (problem.level === "error") this.#damaged = true;
    if (this.#problems.length < MAX_PROBLEMS) {
      this.#problems.push({ ...problem, source: problem.source && cleanText(problem.source, SOURCE_LENGTH) });
    }
  }

  /** @param spans how many spans the trace has, the uninteresting ones included */
  sawTrace(trace: SealedTrace, spans: number): void {
    const { run } = this.#settings;
    const isAsked = (span: NotableSpan): boolean => run === undefined || trace.runIdOf(span) === run;
    const asked = run === undefined ? trace.spans : trace.spans.filter(isAsked);
    this.#examined.spans += run === undefined ? spans : asked.length;
    this.#skipped.otherRuns += run === undefined ? 0 : spans - asked.length;
    if (asked.length === 0 && run !== undefined) return;
    this.#examined.traces += 1;
    this.#examined.agentSpans += asked.filter(({ facts }) => facts.role === "agent").length;
    this.#examined.labelledSpans += asked.filter(isLabelled).length;
    this.#examined.toolSpans += trace.calls.filter(({ span }) => isAsked(span)).length;
    this.#leaked.addFrom(trace, asked);
    const [first] = asked;
    if (first !== undefined && this.#trees.wants({ start: first.facts.start, traceId: trace.id })) {
      for (const tree of runTrees(trace, run)) this.#trees.add(tree);
    }
  }

  sawRun(run: SealedRun): void {
    if (this.#settings.run !== undefined && run.id !== this.#settings.run) return;
    this.#examined.runs += 1;
    if (!run.isCertain) this.#uncertain += 1;
  }

  build(checks: readonly CheckResult[]): Report {
    const nothing = this.#nothing(checks);
    const incomplete = this.#skipped.unreadable > 0 || this.#uncertain > 0;
    const failed =
      this.#damaged ||
      checks.some(({ outcome, level }) => outcome === "fail" && level === "error") ||
      (this.#settings.strict && (incomplete || checks.some(({ outcome }) => outcome === "unknown")));
    return this.#leaked.concealedIn<Report>({
      verdict: nothing !== undefined ? "nothing-to-check" : failed ? "fail" : "pass",
      nothing,
      strict: this.#settings.strict,
      examined: this.#examined,
      skipped: this.#skipped,
      incomplete,
      problems: this.#problems,
      checks,
      runs: summariesOf(this.#trees.sorted(), this.#settings.maxRuns),
    });
  }

  #nothing(checks: readonly CheckResult[]): NothingReason | undefined {
    const found = checks.some(({ outcome }) => outcome === "fail");
    if (this.#examined.spans === 0) return "no-spans";
    if (this.#examined.toolSpans === 0 && !found) return "no-tool-spans";
    if (this.#examined.labelledSpans === 0) return "no-labelled-spans";
    const certain = found || checks.some(({ outcome }) => outcome === "pass");
    return certain ? undefined : "nothing-certain";
  }
}

const isLabelled = ({ facts }: NotableSpan): boolean => facts.labels !== undefined || facts.policies > 0;

/** A tree's place in time. A trace that is not made into trees yet has no first span. */
type Place = Pick<RunTree, "start" | "traceId"> & Partial<Pick<RunTree, "tree">>;

function byTime(a: Place, b: Place): number {
  const first = ({ tree }: Place): string => tree?.[0]?.span.spanId ?? "";
  return a.start - b.start || compareText(a.traceId, b.traceId) || compareText(first(a), first(b));
}
