/**
 * How a query ended, from its result message.
 *
 * @module
 */
import type { ExitReason } from "../../attributes/registry.ts";

/** What is read of a result message (`type` is `result`). */
export interface AgentResult {
  /** `success`, or the kind of failure, such as `error_max_turns`. */
  readonly subtype: string;
  /** `true`: the query failed, also where `subtype` says `success`. */
  readonly is_error?: boolean | undefined;
  /**
   * Why the loop ended, such as `max_turns` or `hook_stopped`. Older versions of the SDK leave it out; then `subtype`
   * decides.
   */
  readonly terminal_reason?: string | undefined;
  /** Calls that were refused. Only whether there are any is looked at, to tell a refusal that interrupts from an abort. */
  readonly permission_denials?: readonly unknown[] | undefined;
}

/** Why the loop ended, where the application stopped it. */
const STOPPED: ReadonlyMap<unknown, ExitReason> = new Map([
  ["max_turns", "max_steps"],
  ["error_max_turns", "max_steps"],
  ["hook_stopped", "policy_stop"],
  ["stop_hook_prevented", "policy_stop"],
  // A cap on money is a policy of the application, and no count of steps.
  ["budget_exhausted", "policy_stop"],
  ["error_max_budget_usd", "policy_stop"],
]);

/** The loop was interrupted: by a refusal that says so, or by somebody who changed their mind. */
const INTERRUPTED: readonly unknown[] = ["aborted_tools", "aborted_streaming"];

/**
 * How a query ended, for the `exitReason` option of `withRun`: `max_steps` for the cap on turns; `policy_stop` when a hook,
 * a refusal with `interrupt`, or the budget ended it; `error` for every other failure and for an interrupt; `undefined` (a
 * final answer) otherwise, also when a call was refused and the model went on.
 *
 * @param result the message of type `result`; without one the query was cut off: `error`
 * @example
 * ```ts
 * import { type Span } from "@opentelemetry/api";
 * import { withRun } from "agent-reliability-otel-labels";
 * import { type AgentResult, exitReasonOf } from "agent-reliability-otel-labels/claude-agent-sdk";
 *
 * declare function lastMessageOfQuery(prompt: string): Promise<AgentResult>;
 *
 * const answer = (root: Span, prompt: string) =>
 *   withRun(root, () => lastMessageOfQuery(prompt), { exitReason: exitReasonOf });
 * ```
 */
export function exitReasonOf(result: AgentResult | null | undefined): ExitReason | undefined {
  if (typeof result !== "object" || result === null) return "error";
  const { subtype, is_error, terminal_reason, permission_denials } = result;
  const stopped = STOPPED.get(terminal_reason) ?? STOPPED.get(subtype);
  if (stopped !== undefined) return stopped;
  const refused = Array.isArray(permission_denials) && permission_denials.length > 0;
  if (INTERRUPTED.includes(terminal_reason)) return refused ? "policy_stop" : "error";
  return subtype === "success" && is_error !== true ? undefined : "error";
}
