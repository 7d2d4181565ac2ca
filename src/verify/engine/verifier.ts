/**
 * The verifier: spans in, a report out.
 *
 * @module
 */
import type { Check } from "../checks/check.ts";
import type { CheckId } from "../checks/check-id.ts";
import { CHECKS } from "../checks/index.ts";
import { settingsOf, type VerifyOptions, type VerifySettings } from "../options.ts";
import { giveSpan, giveSpans, type SpanInput } from "../read/read-spans.ts";
import type { OtherSignal, SpanSink } from "../read/span-sink.ts";
import type { InputProblem, Report } from "../report.ts";
import type { SpanView } from "../span-view.ts";
import { SpanExaminer } from "./examine-span.ts";
import { addToRuns, judgeTrace } from "./judge-trace.ts";
import { OpenSpans, UNREADABLE_SPAN } from "./open-spans.ts";
import { ReportBuilder } from "./report-builder.ts";
import type { RunState } from "./run-state.ts";
import { SealedRun } from "./sealed-run.ts";
import { SealedTrace } from "./sealed-trace.ts";
import type { SpanRecord } from "./span-record.ts";
import { Tally } from "./tally.ts";
import type { TraceState } from "./trace-state.ts";

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
 * @throws TypeError when `spans` is no iterable, or a text
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
  giveSpans(spans, verifier);
  return verifier.finish();
}

/** Exported for tests that bring checks of their own. */
export class StreamVerifier implements Verifier {
  readonly #settings: VerifySettings;
  readonly #tallies: ReadonlyMap<CheckId, Tally>;
  readonly #report: ReportBuilder;
  readonly #open: OpenSpans;
  #finished: Report | undefined;

  constructor(settings: VerifySettings, checks: readonly Check[]) {
    const asked = checks.filter(({ id }) => settings.checks.has(id));
    this.#settings = settings;
    this.#tallies = new Map(asked.map((check) => [check.id, new Tally(check, settings)]));
    this.#report = new ReportBuilder(settings);
    const examiner = new SpanExaminer(settings, asked);
    this.#open = new OpenSpans(
      {
        examine: (view, trace) => examiner.examine(view, () => trace.pool),
        isBetter,
        sealTrace: (trace, cut) => this.#sealTrace(trace, cut),
        sealRun: (run) => this.#sealRun(run),
      },
      settings.maxOpenSpans,
    );
  }

  add(span: SpanInput): void {
    giveSpan(span, this);
  }

  span(view: SpanView): void {
    if (this.#finished !== undefined) return;
    const taken = this.#open.take(view);
    if (taken === undefined) this.problem(UNREADABLE_SPAN);
    else {
      if (taken.trace.late) this.#report.sawLateSpan();
      if (taken.isCopy) this.#report.sawDuplicate();
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
      this.#open.close();
      this.#finished = this.#report.build([...this.#tallies.values()].map((tally) => tally.result()));
    }
    return this.#finished;
  }

  #sealTrace(state: TraceState, cut: boolean): void {
    const trace = new SealedTrace(state, cut);
    this.#report.sawTrace(trace, state.records.size);
    if (state.notable) {
      judgeTrace(trace, this.#tallies, this.#settings);
      addToRuns(trace, this.#open.runs, this.#open.maxRun);
    }
  }

  #sealRun(state: RunState): void {
    const run = new SealedRun(state, this.#settings.skewMilliseconds);
    this.#report.sawRun(run);
    for (const tally of this.#tallies.values()) tally.guard(() => tally.check.judgeRun?.(run, tally));
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
