/**
 * Starting and ending a run on a root span that the application or the framework owns.
 *
 * @module
 */
import { context } from "@opentelemetry/api";
import { EXIT_REASONS, type ExitReason } from "../attributes/registry.ts";
import { TrustablError } from "../errors.ts";
import type { RunFingerprint } from "../fingerprint/index.ts";
import { report } from "../labels/diagnostics.ts";
import { type Binding, bindAuthority } from "../labels/policy-binding.ts";
import { unseenRegistration } from "../labels/registered-api.ts";
import { markRunEnd } from "../labels/run-span.ts";
import { idsOf, isUsable, type MaybeSpan } from "../labels/span.ts";
import { enterEachStep } from "./generator-steps.ts";
import {
  type FailedPolicy,
  isPolicySet,
  type PolicyFailureDecision,
  type PolicySet,
  refusalOf,
} from "./required-policies.ts";
import { holdsStream, isThenable } from "./result-kind.ts";
import { Run } from "./run.ts";
import { contextWithRun, currentRunScope } from "./run-context.ts";

/** Options of {@link startRun}. */
export interface StartRunOptions {
  /** The run's id. Default: 8 random bytes as hexadecimal characters. */
  readonly runId?: string | null | undefined;
  /**
   * How the run's fingerprints are keyed. Default: as those of the run around it, else not at all. Tools and
   * `markToolSpan` inside the run follow it.
   */
  readonly fingerprint?: RunFingerprint | null | undefined;
  /**
   * The policies in force, bound on the root span before the run starts: a list of bindings, or what `loadPolicies` of
   * the subpath `/policies` gives. Of the latter, a required policy that failed keeps the run from starting.
   */
  readonly policies?: Iterable<Binding> | PolicySet | null | undefined;
  /**
   * What to do about a required policy that failed. Default `refuse`: the run ends with `policy_stop` before it starts,
   * with a `RequiredPolicyError`. A function that throws refuses too.
   */
  readonly onPolicyFailure?:
    | PolicyFailureDecision
    | ((failure: FailedPolicy) => PolicyFailureDecision)
    | undefined;
}

/** Options of {@link withRun}. */
export interface WithRunOptions<Result = unknown> extends StartRunOptions {
  /**
   * How a run that returned has ended, from its result; `undefined` means `final_answer`. Use it where the
   * framework tells: a finish reason, a step limit. Not asked when the function threw or `run.stop()` was called.
   */
  readonly exitReason?: ((result: Awaited<Result>) => ExitReason | undefined) | undefined;
  /**
   * How a run that threw has ended, from what it threw; `undefined` means `error`. Use it where the framework throws when a
   * step cap or a guardrail stops it. A call that was denied by the mediation step is `policy_stop` anyway.
   */
  readonly exitReasonOfError?: ((error: unknown) => ExitReason | undefined) | undefined;
}

/** A run that has started and that the caller ends. */
export interface RunHandle {
  /** The run's memory: its id, and what `stop` and `markUntrusted` are called on. */
  readonly run: Run;
  /**
   * Calls `fn` with the run in the active context, and returns what it returns. A generator stays in the run while it is read;
   * one that a promise resolves to does not, since the promise is given back as it is.
   */
  with<Result>(fn: () => Result): Result;
  /**
   * Marks the end of the run, once; call it before the root span ends.
   *
   * @param reason default: what `run.stop()` said, else `final_answer`
   * @throws RangeError when the reason is not one of the four, only when the span records
   */
  end(reason?: ExitReason): void;
}

/**
 * Starts a run by hand, for one that outlives the function that started it (a stream that is consumed later).
 * {@link withRun} does the same around a function.
 *
 * @param root the agent's root span, owned by the application or the framework; it is neither made nor ended here
 * @throws RangeError on a wrong run id or policy, only when the span records and before anything runs
 * @throws TypeError or RangeError on a wrong `fingerprint` or no such `policies`, with tracing off too
 * @throws RequiredPolicyError when a required policy failed, with tracing off too
 * @example
 * ```ts
 * import { startRun } from "agent-reliability-otel-labels";
 * import { trace } from "@opentelemetry/api";
 *
 * const root = trace.getTracer("app").startSpan("invoke_agent helper");
 * const handle = startRun(root);
 * const stream = handle.with(() => ["a", "b"]);
 * for (const part of stream) console.log(part);
 * handle.end("final_answer");
 * root.end();
 * ```
 */
export function startRun(root: MaybeSpan, options: StartRunOptions = {}): RunHandle {
  const fingerprint = options.fingerprint ?? currentRunScope()?.run.fingerprint;
  const run = new Run(options.runId, { fingerprint });
  const recording = isUsable(root);
  run.markStart(root);
  bindPolicies(root, options);
  const scope = { run, recording, traceId: recording ? idsOf(root)?.traceId : undefined };
  let ended = false;
  return {
    run,
    with: (fn) => {
      const scoped = contextWithRun(context.active(), scope);
      const result = context.with(scoped, () => {
        if (recording && context.active() !== scoped) reportNoContextManager();
        return fn();
      });
      return enterEachStep(result, (reader) => contextWithRun(reader, scope));
    },
    end: (reason) => {
      if (ended) return;
      if (recording && !isUsable(root)) reportLateEnd();
      markRunEnd(root, reason ?? run.stopReason ?? "final_answer");
      ended = true;
    },
  };
}

/**
 * Runs an agent: marks the start on its root span, binds the policies, carries the {@link Run} in the OpenTelemetry
 * context, and marks the end before it returns. The end is `final_answer`, or `error` when `fn` threw (the same
 * value is thrown on), or what `run.stop()` or the `exitReason` option said.
 *
 * Returns what `fn` returns: a value at once, a promise when `fn` returned a promise. A stream has to be consumed inside; one
 * that comes out, also as the result of the AI SDK's `streamText()`, is reported to `diag`.
 *
 * @param root the agent's root span, owned by the application or the framework; it is neither made nor ended here
 * @throws RangeError on a wrong run id or policy, only when the span records and before `fn` is called
 * @throws TypeError or RangeError on a wrong `fingerprint` or no such `policies`, with tracing off too
 * @throws RequiredPolicyError when a required policy failed, with tracing off too; `fn` is not called
 * @example
 * ```ts
 * import { withRun } from "agent-reliability-otel-labels";
 * import { trace } from "@opentelemetry/api";
 *
 * declare const agent: { generate(prompt: string): Promise<string> };
 * const answer = await trace.getTracer("app").startActiveSpan("invoke_agent helper", async (root) => {
 *   try {
 *     return await withRun(root, () => agent.generate("Find a flight"));
 *   } finally {
 *     root.end();
 *   }
 * });
 * ```
 */
export function withRun<Result>(
  root: MaybeSpan,
  fn: (run: Run) => Result,
  options: WithRunOptions<Result> = {},
): Result {
  if (typeof fn !== "function") throw new TypeError("withRun expected a function as its second parameter");
  const handle = startRun(root, options);
  const end = (reason: ExitReason | undefined) => {
    if (reason !== undefined) handle.end(reason);
  };
  const failed = (error: unknown) =>
    end(handle.run.stopReason ?? ask("exitReasonOfError", options.exitReasonOfError, error, reasonOf(error)));
  const returned = (result: Awaited<Result>) => {
    if (isUsable(root) && holdsStream(result)) reportStream();
    end(handle.run.stopReason ?? ask("exitReason", options.exitReason, result, "final_answer"));
  };
  let result: Result;
  try {
    result = handle.with(() => fn(handle.run));
  } catch (error) {
    failed(error);
    throw error;
  }
  if (isThenable(result)) {
    return result.then(
      (value) => {
        returned(value as Awaited<Result>);
        // Of a generator that was waited for, too, each step stays in the run.
        return handle.with(() => value);
      },
      (error: unknown) => {
        failed(error);
        throw error;
      },
    ) as Result;
  }
  returned(result as Awaited<Result>);
  return result;
}

function bindPolicies(root: MaybeSpan, { policies, onPolicyFailure }: StartRunOptions): void {
  if (policies === undefined || policies === null) return;
  if (!isPolicySet(policies)) {
    bindAuthority(root, policies);
    return;
  }
  bindAuthority(root, policies.verified);
  const refusal = refusalOf(policies, onPolicyFailure);
  if (refusal === undefined) return;
  markRunEnd(root, "policy_stop");
  throw refusal;
}

/** Errors of this package that say that a policy has stopped the run. */
const STOPPED_BY_POLICY: readonly string[] = ["claim_denied", "review_required"];

function reasonOf(error: unknown): ExitReason {
  return TrustablError.isInstance(error) && STOPPED_BY_POLICY.includes(error.code) ? "policy_stop" : "error";
}

// No reason at all when the option failed: a run that may have been cut short must not read `final_answer`.
function ask<Ending>(
  option: "exitReason" | "exitReasonOfError",
  exitReason: ((ending: Ending) => ExitReason | undefined) | undefined,
  ending: Ending,
  otherwise: ExitReason,
): ExitReason | undefined {
  if (exitReason === undefined) return otherwise;
  try {
    const reason: unknown = exitReason(ending) ?? otherwise;
    if (EXIT_REASONS.includes(reason as ExitReason)) return reason as ExitReason;
    report(
      `${option} value`,
      "",
      () =>
        `trustabl.exit_reason was left out: the ${option} option expected one of ${EXIT_REASONS.join(", ")}`,
    );
  } catch {
    report(`${option} threw`, "", () => `trustabl.exit_reason was left out: the ${option} option threw`);
  }
  return undefined;
}

function reportNoContextManager(): void {
  report(
    "no context manager",
    "",
    () =>
      `tools cannot find their run: ${unseenRegistration() ?? "no OpenTelemetry context manager is registered; call provider.register(), or context.setGlobalContextManager()"}`,
  );
}

function reportLateEnd(): void {
  report(
    "late end",
    "",
    () => "trustabl.exit_reason was left out: the root span ended before the run did; end the run first",
  );
}

function reportStream(): void {
  report(
    "stream",
    "",
    () =>
      "withRun() got a stream and ended the run; what is consumed later is not in it: consume it inside, or use startRun() and end the run by hand",
  );
}
