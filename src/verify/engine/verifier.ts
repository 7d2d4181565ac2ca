/**
 * The verifier: spans in, a report out.
 *
 * @module
 */
import type { Check } from "../checks/check.ts";
import { CHECKS } from "../checks/index.ts";
import { settingsOf, type VerifyOptions, type VerifySettings } from "../options.ts";
import { readSpan, type SpanInput } from "../read/read-spans.ts";
import type { OtherSignal, SpanSink } from "../read/span-sink.ts";
import type { InputProblem, Report } from "../report.ts";
import type { SpanView } from "../span-view.ts";
import { SpanExaminer } from "./examine-span.ts";
import { addToRuns, judgeTrace } from "./judge-trace.ts";
import { ReportBuilder } from "./report-builder.ts";
import type { RunState } from "./run-state.ts";
import { RunWindow } from "./run-window.ts";
import { SealedRun } from "./sealed-run.ts";
import { runIdOf, SealedTrace } from "./sealed-trace.ts";
import { isNotable, type SpanRecord } from "./span-record.ts";
import { Tally } from "./tally.ts";
import type { TraceState } from "./trace-state.ts";
import { Window } from "./window.ts";

/** Takes spans one by one, in any order, and gives the report at the end. A sink for the readers, too. */
export interface Verifier extends SpanSink {
  /** Adds an SDK's finished span, or one in the verifier's own form. What is neither is reported, not thrown. */
  add(span: SpanInput): void;
  /** Judges what is left, and reports. Adding after this has no effect. */
  finish(): Report;
}

/**
 * A verifier for spans that arrive over time: from a file, a receiver, an exporter. Memory does not grow with their
 * number; see `maxOpenSpans`.
 *
 * @throws VerifyOptionsError on options that cannot be used
 * @example
 * ```ts
 * import { createVerifier, readOtlp } from "agent-reliability-otel-labels/verify";
 *
 * const verifier = createVerifier({ strict: true });
 * for (const span of readOtlp('{"resourceSpans":[]}').spans) verifier.add(span);
 * console.log(verifier.finish().verdict);
 * ```
 */
export function createVerifier(options: VerifyOptions = {}): Verifier {
  return new StreamVerifier(settingsOf(options), CHECKS);
}

/**
 * Verifies spans: an in-memory exporter's finished spans, or spans that a reader read.
 *
 * @throws VerifyOptionsError on options that cannot be used
 * @example
 * ```ts
 * import { formatReport, verify } from "agent-reliability-otel-labels/verify";
 * import { InMemorySpanExporter } from "@opentelemetry/sdk-trace-node";
 *
 * const exporter = new InMemorySpanExporter();
 * const report = verify(exporter.getFinishedSpans());
 * if (report.verdict !== "pass") console.error(formatReport(report));
 * ```
 */
export function verify(spans: Iterable<SpanInput>, options: VerifyOptions = {}): Report {
  const verifier = createVerifier(options);
  for (const span of spans) verifier.add(span);
  return verifier.finish();
}

// Calls and roots of one run that are kept: a part of the window, and enough for any honest run.
const RUN_SHARE = 4;
const RUN_AT_LEAST = 1_000;

/** Exported for tests that bring checks of their own. */
export class StreamVerifier implements Verifier {
  readonly #settings: VerifySettings;
  readonly #examiner: SpanExaminer;
  readonly #tallies: readonly Tally[];
  readonly #report: ReportBuilder;
  readonly #window: Window;
  readonly #runs: RunWindow;
  readonly #maxRun: number;
  #finished: Report | undefined;

  constructor(settings: VerifySettings, checks: readonly Check[]) {
    const asked = checks.filter(({ id }) => settings.checks.has(id));
    this.#settings = settings;
    this.#examiner = new SpanExaminer(settings, asked);
    this.#tallies = asked.map((check) => new Tally(check, settings));
    this.#report = new ReportBuilder(settings);
    this.#maxRun = Math.max(RUN_AT_LEAST, Math.ceil(settings.maxOpenSpans / RUN_SHARE));
    this.#runs = new RunWindow((run) => this.#sealRun(run), settings.maxOpenSpans / RUN_SHARE);
    this.#window = new Window((trace, cut) => this.#sealTrace(trace, cut), settings.maxOpenSpans);
  }

  add(span: SpanInput): void {
    const view = readSpan(span);
    if (view !== undefined) this.span(view);
    else
      this.problem({
        code: "not-a-span",
        level: "error",
        message: "this is no span, or it has no usable ids",
      });
  }

  span(view: SpanView): void {
    if (this.#finished !== undefined) return;
    const trace = this.#window.take(view.traceId);
    if (trace.late) this.#report.sawLateSpan();
    const record = this.#examine(view, trace);
    if (record === undefined) return;
    const known = trace.records.get(record.id);
    if (known !== undefined) this.#report.sawDuplicate();
    if (known === undefined || isBetter(record, known)) {
      trace.put(record);
      const runId = isNotable(record) ? runIdOf(record) : undefined;
      if (runId !== undefined) this.#runs.join(trace, runId);
    }
    this.#window.makeRoom();
  }

  // Values of attributes are other people's objects, which may throw when they are looked at.
  #examine(view: SpanView, trace: TraceState): SpanRecord | undefined {
    try {
      return this.#examiner.examine(view, () => trace.pool);
    } catch {
      this.problem({
        code: "unreadable-span",
        level: "error",
        message: "a span cannot be read: looking at it throws",
      });
      return undefined;
    }
  }

  problem(problem: InputProblem): void {
    this.#report.sawProblem(problem);
  }

  skipped(signal: OtherSignal, records: number): void {
    this.#report.sawOtherSignal(signal, records);
  }

  finish(): Report {
    if (this.#finished === undefined) {
      this.#window.close();
      this.#runs.close();
      this.#finished = this.#report.build(this.#tallies.map((tally) => tally.result()));
    }
    return this.#finished;
  }

  #sealTrace(state: TraceState, cut: boolean): void {
    const trace = new SealedTrace(state, cut);
    this.#report.sawTrace(trace, state.records.size);
    if (state.notable) {
      judgeTrace(trace, this.#tallies, this.#settings);
      addToRuns(trace, this.#runs, this.#maxRun);
    }
    this.#runs.leave(state);
  }

  #sealRun(state: RunState): void {
    const run = new SealedRun(state, this.#settings.skewMilliseconds);
    this.#report.sawRun(run);
    for (const tally of this.#tallies) tally.guard(() => tally.check.judgeRun?.(run, tally));
  }
}

// Of two copies of one span the one with more labels counts: a first export can have been made before they were
// written. Between equals any order-independent choice will do.
function isBetter(copy: SpanRecord, known: SpanRecord): boolean {
  const [a, b] = [weigh(copy), weigh(known)];
  return a.labels !== b.labels ? a.labels > b.labels : a.text > b.text;
}

function weigh({ name, failed, parentId, facts }: SpanRecord): {
  readonly labels: number;
  readonly text: string;
} {
  const labels = Object.entries(facts?.labels ?? {}).filter(([, value]) => value !== null);
  return {
    labels: labels.length,
    text: JSON.stringify([facts?.end !== undefined, labels.sort(), name, failed, parentId, facts?.start]),
  };
}
