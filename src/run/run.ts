/**
 * The memory of one run: its id, the order of its tool calls and how often each call was made.
 *
 * @module
 */
import { randomId } from "../attributes/hex.ts";
import { type FingerprintKey, prepareRunFingerprint, type RunFingerprint } from "../fingerprint/index.ts";
import { report } from "../labels/diagnostics.ts";
import { markRunStart } from "../labels/run-span.ts";
import type { MaybeSpan } from "../labels/span.ts";

/** What {@link Run.stop} takes: the two ways to end a run that only the application knows of. */
export type StopReason = "max_steps" | "policy_stop";

/**
 * Different calls counted per run. A count that was forgotten would restart at 1 and lie, so past this number
 * calls that are new to the run have no attempt.
 */
const MAX_COUNTED_CALLS = 100_000;

/** Untrusted inputs kept per run. Past this number it is no longer known which ones a run has used. */
const MAX_UNTRUSTED_INPUTS = 1_000;

/** An untrusted input that a run has used: a fetched page, a tool's output, a file, a mail. */
export interface UntrustedInput {
  /** A word of the application's for where it came from; no content. 1 to 256 characters. */
  readonly source: string;
  /** `sha256:` and 64 lower-case hexadecimal characters. */
  readonly digest: string;
}

/** Options of {@link Run}. */
export interface RunOptions {
  /** How the run's fingerprints are keyed. Default: not at all, the same in every run and language. */
  readonly fingerprint?: RunFingerprint | null | undefined;
}

/**
 * One run of an agent. Make one per run; never share one between runs that overlap.
 *
 * {@link withRun} makes one and carries it along; a program that labels by hand makes its own.
 *
 * @example
 * ```ts
 * import { Run } from "agent-reliability-otel-labels";
 *
 * const run = new Run();
 * const first = run.nextStep(); // 0
 * ```
 */
export class Run {
  /** The run's id: the given one, or 8 random bytes as lower-case hexadecimal characters. */
  readonly runId: string;
  /**
   * How this run's fingerprints are keyed, for {@link markToolSpan} and for runs that are to have the same key;
   * `undefined` when they are not. Computes with the key and does not show it.
   */
  readonly fingerprint: { readonly key: FingerprintKey } | undefined;
  #steps = 0;
  #stopReason: StopReason | undefined;
  readonly #attempts = new Map<string, number>();
  readonly #untrusted = new Map<string, UntrustedInput>();
  #knowsUntrusted = true;

  /**
   * @param runId 1 to 128 characters without control characters. It is checked where it is written, not here: a
   *   program that runs with tracing off must not fail over a label.
   * @throws TypeError when a key is no Uint8Array, RangeError when it is too short or `fingerprint` is something else
   */
  constructor(runId?: string | null, { fingerprint }: RunOptions = {}) {
    this.runId = runId ?? randomId(8);
    const key = prepareRunFingerprint(fingerprint);
    this.fingerprint = key && { key };
  }

  /** The place of the next tool call in this run: 0, 1, 2 ... Take it when the call starts, before any `await`. */
  nextStep(): number {
    return this.#steps++;
  }

  /**
   * How many times this run has made this same call, this time included: 1, 2, 3 ... The same call is the same tool
   * with the same arguments; without a fingerprint, the same tool.
   *
   * @returns `undefined` past 100,000 different calls in one run
   */
  nextAttempt(toolName: string, inputFp?: string | null): number | undefined {
    // A fingerprint is 16 hexadecimal characters, so neither form can be read as the other.
    const call = `${inputFp ?? "-"}${toolName}`;
    const attempt = (this.#attempts.get(call) ?? 0) + 1;
    if (attempt === 1 && this.#attempts.size >= MAX_COUNTED_CALLS) {
      report(
        "attempt overflow",
        "",
        () => `trustabl.tool.attempt was left out: more than ${MAX_COUNTED_CALLS} different calls in one run`,
      );
      return undefined;
    }
    this.#attempts.set(call, attempt);
    return attempt;
  }

  /**
   * Writes the run's id on the agent's root span. Does nothing when there is no span or it does not record.
   *
   * @throws RangeError when the id has another form, only when the span records
   */
  markStart(span: MaybeSpan): void {
    markRunStart(span, this.runId);
  }

  /**
   * Says that the run is being stopped, so that {@link withRun} ends it with this reason instead of
   * `final_answer` or `error`: `max_steps` when a step cap stopped a run that still wanted tools, `policy_stop` when
   * a policy halted it. The first reason stays.
   */
  stop(reason: StopReason): void {
    if (reason !== "max_steps" && reason !== "policy_stop") {
      report(
        "stop reason",
        "",
        () => 'run.stop() expected "max_steps" or "policy_stop"; the call was ignored',
      );
      return;
    }
    this.#stopReason ??= reason;
  }

  /**
   * Keeps that this run has used an untrusted input, for the claims of its later calls to be compared with. Call it
   * where the input enters, before the model sees it.
   *
   * Never throws. An input that has not this form, or is past the first 1,000, makes it unknown what the run has used:
   * from then on calls are reviewed, and `diag` says why.
   */
  markUntrusted(input: UntrustedInput): void {
    const { source, digest } = input ?? {};
    const known =
      typeof source === "string" &&
      source !== "" &&
      source.length <= 256 &&
      typeof digest === "string" &&
      /^sha256:[0-9a-f]{64}$/.test(digest);
    if (known) this.#untrusted.set(`${digest} ${source}`, { source, digest });
    if (known && this.#untrusted.size <= MAX_UNTRUSTED_INPUTS) return;
    this.#untrusted.clear();
    this.#knowsUntrusted = false;
    report(
      "untrusted input",
      known ? "many" : "form",
      () =>
        `it is no longer known which untrusted inputs a run has used: ${known ? `there were more than ${MAX_UNTRUSTED_INPUTS}` : "markUntrusted() expected a source and a digest (sha256:...)"}`,
    );
  }

  /** The untrusted inputs that this run has used, each once; `undefined` when that is not known any more. */
  get untrustedInputs(): readonly UntrustedInput[] | undefined {
    return this.#knowsUntrusted ? [...this.#untrusted.values()] : undefined;
  }

  /** What {@link Run.stop} said, if it was called. */
  get stopReason(): StopReason | undefined {
    return this.#stopReason;
  }
}
