/**
 * A run in the OpenTelemetry context: two concurrent runs can never share counters, since each has its own context.
 *
 * @module
 */
import { type Context, context } from "@opentelemetry/api";
import { RUN_SCOPE } from "../labels/active-run.ts";
import type { Run } from "./run.ts";

/** A run, and what is known of the root span it was started on. */
export interface RunScope {
  readonly run: Run;
  /** Whether the root span records. When it does not, no tool span of the run will, and counting is a waste. */
  readonly recording: boolean;
  /** The root span's trace, where it has one. */
  readonly traceId: string | undefined;
}

/** The context with the run in it. */
export function contextWithRun(parent: Context, scope: RunScope): Context {
  return parent.setValue(RUN_SCOPE, scope);
}

/** The run's scope in a context: the active one unless another is given. */
export function currentRunScope(from: Context = context.active()): RunScope | undefined {
  return from.getValue(RUN_SCOPE) as RunScope | undefined;
}

/**
 * The run that the running code belongs to, if any. {@link withRun} and {@link startRun} put it there.
 *
 * @example
 * ```ts
 * import { currentRun } from "agent-reliability-otel-labels";
 *
 * function overBudget(spent: number): boolean {
 *   if (spent > 5) currentRun()?.stop("policy_stop");
 *   return spent > 5;
 * }
 * ```
 */
export function currentRun(): Run | undefined {
  return currentRunScope()?.run;
}
