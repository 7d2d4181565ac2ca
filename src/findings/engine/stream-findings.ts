/**
 * The streaming evaluator: spans in, findings out. The verifier's windows decide what is remembered; a run is judged
 * when its traces are complete, or when there is no more room.
 *
 * @module
 */
import { SpanExaminer } from "../../verify/engine/examine-span.ts";
import { LeakedTexts } from "../../verify/engine/leaked-texts.ts";
import { OpenSpans, UNREADABLE_SPAN } from "../../verify/engine/open-spans.ts";
import type { RunCall, RunState } from "../../verify/engine/run-state.ts";
import { SealedTrace } from "../../verify/engine/sealed-trace.ts";
import { isNotable, type SpanRecord } from "../../verify/engine/span-record.ts";
import type { TraceState } from "../../verify/engine/trace-state.ts";
import { settingsOf as verifySettingsOf } from "../../verify/options.ts";
import { giveSpan, giveSpans, type SpanInput } from "../../verify/read/read-spans.ts";
import type { OtherSignal, SpanSink } from "../../verify/read/span-sink.ts";
import type { InputProblem } from "../../verify/report.ts";
import type { SpanView } from "../../verify/span-view.ts";
import type { FindingsReport, RuleFinding } from "../finding.ts";
import { type FindingsOptions, type FindingsSettings, settingsOf } from "../options.ts";
import type { Field } from "../rows/fields.ts";
import { rowsOfTrace } from "../rows/rows-of-trace.ts";
import { extrasOf, type SpanExtras } from "../rows/span-extras.ts";
import { byStep, type SpanRow } from "../rows/span-row.ts";
import { RULES } from "../rules/index.ts";
import { FoundRuns, type Place } from "./found-runs.ts";
import { LiveWatch } from "./live-watch.ts";
import { reportOf } from "./report-of.ts";
import { RuleTally } from "./rule-tally.ts";
import { traceOfOne } from "./trace-of-one.ts";

/** Takes spans one by one, in any order, and gives the findings at the end. A sink for the readers, too. */
export interface FindingsSink extends SpanSink {
  /** Adds an SDK's finished span, or one in the verifier's own form. What is neither is reported, not thrown. */
  add(span: SpanInput): void;
  /** Judges what is left, and reports. Adding after this has no effect. */
  finish(): FindingsReport;
}

/**
 * An evaluator for spans that arrive over time: from a file, a receiver, an exporter. Memory does not grow with their
 * number; see `maxOpenSpans`.
 *
 * @throws FindingsOptionsError on options that cannot be used
 * @example
 * ```ts
 * import { createFindings } from "agent-reliability-otel-labels/findings";
 * import { createOtlpReader } from "agent-reliability-otel-labels/verify";
 *
 * const sink = createFindings({ onFinding: ({ rule, runId }) => console.warn(rule, runId) });
 * const reader = createOtlpReader(sink, { source: "traces.jsonl" });
 * reader.write('{"resourceSpans":[]}\n');
 * reader.end();
 * console.log(sink.finish().findings.length);
 * ```
 */
export function createFindings(options: FindingsOptions = {}): FindingsSink {
  return new StreamFindings(settingsOf(options));
}

/**
 * The findings in spans: an in-memory exporter's finished spans, or spans that a reader read.
 *
 * @throws TypeError when `spans` is no iterable, or a text
 * @throws FindingsOptionsError on options that cannot be used
 * @example
 * ```ts
 * import { findings, isSevereFinding } from "agent-reliability-otel-labels/findings";
 * import { InMemorySpanExporter } from "@opentelemetry/sdk-trace-node";
 *
 * const exporter = new InMemorySpanExporter();
 * const report = findings(exporter.getFinishedSpans());
 * for (const { rule, message } of report.findings.filter(isSevereFinding)) console.error(rule, message);
 * ```
 */
export function findings(spans: Iterable<SpanInput>, options: FindingsOptions = {}): FindingsReport {
  const sink = createFindings(options);
  giveSpans(spans, sink);
  return sink.finish();
}

const MAX_PROBLEMS = 100;

const FOREIGN_FIELDS = ["decision", "constraintKind", "contractHash"] as const satisfies readonly Field[];

class StreamFindings implements FindingsSink {
  readonly #settings: FindingsSettings;
  readonly #examiner: SpanExaminer;
  readonly #extras = new WeakMap<SpanRecord, SpanExtras>();
  readonly #tallies: readonly RuleTally[];
  readonly #open: OpenSpans;
  readonly #live: LiveWatch | undefined;
  readonly #found: FoundRuns | undefined;
  readonly #leaked = new LeakedTexts();
  // Apart: while a trace is not complete, ids of its own that results repeat look like content.
  readonly #leakedSoFar = new LeakedTexts();
  readonly #seen = new Set<Field>();
  readonly #problems: InputProblem[] = [];
  readonly #counts = { spans: 0, runs: 0, toolCalls: 0, unreadable: 0, late: 0 };
  #finished: FindingsReport | undefined;

  constructor(settings: FindingsSettings) {
    this.#settings = settings;
    this.#examiner = new SpanExaminer(verifySettingsOf({ secrets: settings.secrets }), []);
    this.#tallies = RULES.filter(({ id }) => settings.rules.has(id)).map(
      (rule) => new RuleTally(rule, settings),
    );
    this.#open = new OpenSpans(
      {
        examine: (view, trace) => this.#examine(view, trace),
        isBetter: (copy, known) => this.#isBetter(copy, known),
        sealTrace: (trace, cut) => this.#sealTrace(trace, cut),
        sealRun: (run) => this.#sealRun(run),
      },
      settings.maxOpenSpans,
    );
    this.#found = settings.maxRuns > 0 ? new FoundRuns(settings) : undefined;
    this.#live = this.#liveWatch(settings);
  }

  add(span: SpanInput): void {
    giveSpan(span, this);
  }

  span(view: SpanView): void {
    if (this.#finished !== undefined) return;
    const taken = this.#open.take(view);
    if (taken === undefined) this.problem(UNREADABLE_SPAN);
    else {
      if (taken.trace.late) this.#counts.late += 1;
      if (taken.isKept && this.#live !== undefined) this.#watch(taken.trace, taken.record);
    }
  }

  problem(problem: InputProblem): void {
    this.#counts.unreadable += 1;
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(problem);
  }

  skipped(_signal: OtherSignal, _records: number): void {}

  finish(): FindingsReport {
    if (this.#finished === undefined) {
      this.#open.close();
      const report = reportOf(this.#tallies, this.#seen, this.#counts, this.#problems, this.#settings);
      const runs = this.#found?.summaries(report.findings);
      this.#finished = this.#leaked.concealedIn({ ...report, runs });
    }
    return this.#finished;
  }

  #examine(view: SpanView, trace: TraceState): SpanRecord {
    const record = this.#examiner.examine(view, () => trace.pool);
    if (isNotable(record)) {
      const extras = extrasOf(view);
      this.#extras.set(record, extras);
      for (const field of FOREIGN_FIELDS) if (extras[field] !== undefined) this.#seen.add(field);
    }
    return record;
  }

  // Of two copies of one span the one with more labels counts: a first export can have been made before they were
  // written.
  #isBetter(copy: SpanRecord, known: SpanRecord): boolean {
    const weight = (record: SpanRecord): number => this.#extras.get(record)?.labelCount ?? 0;
    const end = ({ facts }: SpanRecord): number => facts?.end ?? 0;
    return weight(copy) - weight(known) > 0 || (weight(copy) === weight(known) && end(copy) > end(known));
  }

  #liveWatch(settings: FindingsSettings): LiveWatch | undefined {
    const { onFinding } = settings;
    if (onFinding === undefined) return undefined;
    const tell = (finding: RuleFinding): void => onFinding(this.#leakedSoFar.concealedIn(finding));
    return new LiveWatch(this.#tallies, tell, settings.run, this.#seen);
  }

  // A trace of one span, as far as can be seen now.
  #watch(trace: TraceState, record: SpanRecord): void {
    if (!isNotable(record)) return;
    const alone = traceOfOne(trace, record);
    this.#leakedSoFar.addFrom(alone, alone.spans);
    for (const row of rowsOfTrace(alone, () => this.#extrasOf(record))) {
      this.#live?.add(row);
    }
  }

  #extrasOf(record: SpanRecord): SpanExtras {
    return this.#extras.get(record) as SpanExtras;
  }

  #sealTrace(state: TraceState, cut: boolean): void {
    this.#counts.spans += state.records.size;
    if (state.notable) this.#judgeTrace(state, cut);
  }

  #judgeTrace(state: TraceState, cut: boolean): void {
    const trace = new SealedTrace(state, cut);
    this.#leaked.addFrom(trace, trace.spans);
    this.#found?.sawTrace(trace);
    const withoutRun: SpanRow[] = [];
    for (const row of rowsOfTrace(trace, (span) => this.#extrasOf(span))) {
      const run = row.runId === undefined ? undefined : this.#open.runs.get(row.runId);
      if (row.kind === "call" && this.#isAsked(row.runId)) this.#counts.toolCalls += 1;
      if (run === undefined) withoutRun.push(row);
      else if (run.size >= this.#open.maxRun) run.overflow = true;
      else run.calls.push(row);
    }
    const place = { traceId: trace.id };
    const isWhole = !trace.isLate;
    if (withoutRun.length > 0 && this.#isAsked(undefined)) this.#judge(withoutRun, undefined, place, isWhole);
    this.#found?.judged(place);
  }

  #sealRun(run: RunState): void {
    if (this.#isAsked(run.id)) {
      this.#counts.runs += 1;
      // Nothing else is ever put there.
      const rows = run.calls as readonly RunCall[] as readonly SpanRow[];
      this.#judge(rows, run.id, { runId: run.id }, !run.late && !run.overflow);
    }
    this.#found?.judged({ runId: run.id });
  }

  #judge(rows: readonly SpanRow[], runId: string | undefined, place: Place, isWhole: boolean): void {
    const sorted = [...rows].sort(byStep);
    if (!isWhole) this.#counts.late += 1;
    for (const tally of this.#tallies) {
      const fires = tally.add(sorted, runId, isWhole);
      if (fires) this.#found?.keep(tally.rule.id, place);
    }
  }

  #isAsked(runId: string | undefined): boolean {
    return this.#settings.run === undefined || runId === this.#settings.run;
  }
}
