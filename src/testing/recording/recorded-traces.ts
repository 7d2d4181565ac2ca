/**
 * What a recording is asked.
 *
 * @module
 */
import type { TracerProvider } from "@opentelemetry/api";
import { type Report, type VerifyOptions, verify } from "../../verify/index.ts";
import { assertNoLeak, type LeakOptions } from "../canary/assert-no-leak.ts";
import type { Canary } from "../canary/canary.ts";
import { TestingError } from "../testing-error.ts";
import { assertVerified } from "../verdict/assert-verified.ts";
import type { AssertVerifiedOptions } from "../verdict/judge.ts";
import type { HeardDiagnostics } from "./diagnostics.ts";
import { flush } from "./flush.ts";
import { mattersToLabels, onlyRunRootOf, toolSpansOf } from "./span-queries.ts";
import type { SpanRecorder } from "./span-recorder.ts";
import type { RecordedSpan, SpanProcessorLike } from "./span-types.ts";
import type { Tracing } from "./tracing.ts";

/** What a recording is made of. */
export interface RecordingParts {
  readonly recorder: SpanRecorder;
  readonly diagnostics: HeardDiagnostics;
  readonly extra: readonly SpanProcessorLike[];
  readonly tracing: Tracing | (() => Tracing);
  readonly settleMilliseconds: number;
}

// Node 20 has the symbol in its main context only, not in the ones that test runners make; what compilers put in its place
// there is this.
const ASYNC_DISPOSE: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for("Symbol.asyncDispose") as typeof Symbol.asyncDispose);

/** The spans of a test. {@link recordTraces} makes it. */
export class RecordedTraces {
  readonly #recorder: SpanRecorder;
  readonly #diagnostics: HeardDiagnostics;
  readonly #extra: readonly SpanProcessorLike[];
  readonly #settleMilliseconds: number;
  readonly #open: () => Tracing;
  #tracing: Tracing | undefined;
  #closed = false;

  /** @internal */
  constructor({ recorder, diagnostics, extra, tracing, settleMilliseconds }: RecordingParts) {
    this.#recorder = recorder;
    this.#diagnostics = diagnostics;
    this.#extra = extra;
    this.#settleMilliseconds = settleMilliseconds;
    this.#open = typeof tracing === "function" ? tracing : () => tracing;
    this.#tracing = typeof tracing === "function" ? undefined : tracing;
  }

  /**
   * The tracer provider that is recorded. With `register: false` it is made when it is first asked for.
   *
   * @throws TestingError `sdk_missing`, `context_manager_missing`
   */
  get provider(): TracerProvider {
    this.#tracing ??= this.#open();
    return this.#tracing.provider;
  }

  /** The span processor that records, to put into a provider of your own. */
  get processor(): SpanProcessorLike {
    return this.#recorder;
  }

  /** Warnings and errors that were said on OpenTelemetry's `diag` since the recording began. */
  get diagnostics(): readonly string[] {
    return this.#diagnostics.messages;
  }

  /**
   * The finished spans, in the order in which they ended. Waits a moment for agent and tool spans that are still open,
   * and for pending exports.
   *
   * @throws TestingError `too_many_spans`
   */
  async spans(): Promise<RecordedSpan[]> {
    await this.#recorder.settled(mattersToLabels, this.#settleMilliseconds);
    if (this.#tracing !== undefined) await flush(this.#tracing.provider);
    return this.#recorder.finished();
  }

  /** Spans that have started and not ended. An exporter never sees them. */
  unended(): RecordedSpan[] {
    return this.#recorder.live();
  }

  /** The finished spans of tool calls: of all tools, or of one. */
  async toolSpans(name?: string): Promise<RecordedSpan[]> {
    return toolSpansOf(await this.spans(), name);
  }

  /**
   * The span that the run was started on, with its end and its policies.
   *
   * @throws TestingError `root_not_certain` when there is no run, or more than one
   */
  async root(): Promise<RecordedSpan> {
    return onlyRunRootOf(await this.spans());
  }

  /** Forgets what was recorded. Spans that are open now are not recorded when they end. */
  clear(): void {
    this.#recorder.clear();
    this.#diagnostics.messages.length = 0;
  }

  /**
   * Checks the recorded spans, open ones too.
   *
   * @throws VerifyOptionsError on an option that cannot be used
   */
  async verify(options?: VerifyOptions): Promise<Report> {
    return verify(await this.#all(), options);
  }

  /**
   * Checks the recorded spans and throws unless every check passes. Nothing to check is not a pass, and neither is an
   * agent or tool span that never ended.
   *
   * @throws TraceAssertionError `not_verified`, with the report as its message
   * @throws VerifyOptionsError on an option that cannot be used
   */
  async assertVerified(options?: AssertVerifiedOptions): Promise<Report> {
    return assertVerified(await this.#all(), options);
  }

  /**
   * Searches everything that was written for texts that were planted in arguments and results.
   *
   * @throws TraceAssertionError `leaked`, with the places and never the text; `nothing_checked` when no span is labelled
   */
  async assertNoLeak(canary: Canary, options?: LeakOptions): Promise<void> {
    assertNoLeak(canary, await this.#all(), { diagnostics: this.diagnostics, ...options });
  }

  /**
   * Runs `fn` while every write of a label on a recorded span throws, and returns what `fn` returns. Compare it with
   * what the agent does otherwise: labelling that fails must change nothing.
   *
   * @throws TestingError `nothing_to_test` when no label was written, so that nothing could fail
   */
  async whileLabelsFail<Result>(fn: () => Result): Promise<Awaited<Result>> {
    let faults = 0;
    this.#recorder.onFault = () => {
      faults += 1;
    };
    try {
      const result = await fn();
      if (faults > 0) return result;
    } finally {
      this.#recorder.onFault = undefined;
    }
    throw new TestingError(
      "nothing_to_test",
      "No label was written on a recorded span while the function ran.",
    );
  }

  /** Ends the recording and takes back what was registered. What was recorded can still be read. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#recorder.stop();
    this.#tracing?.close();
    this.#diagnostics.stop();
    // Not for this test to fail on: their exporters may have no collector.
    await Promise.allSettled(this.#extra.map((processor) => processor.shutdown()));
  }

  /** {@link close}, for `await using`. */
  [ASYNC_DISPOSE](): Promise<void> {
    return this.close();
  }

  async #all(): Promise<RecordedSpan[]> {
    const finished = await this.spans();
    return [...finished, ...this.unended()];
  }
}
