/**
 * How a run of a Strands agent ended, from its result.
 *
 * @module
 */
import type { ExitReason } from "../../attributes/registry.ts";

/** What is read of an `AgentResult`. */
export interface StrandsRunResult {
  /** Strands' word for why the loop ended, such as `endTurn` or `limitTurns`; one that is not known counts as an answer. */
  readonly stopReason: string;
}

const REASONS: Readonly<Record<string, ExitReason | undefined>> = {
  limitTurns: "max_steps",
  // Budgets that the application set, and what guards the model.
  limitOutputTokens: "policy_stop",
  limitTotalTokens: "policy_stop",
  guardrailIntervened: "policy_stop",
  contentFiltered: "policy_stop",
  cancelled: "error",
  maxTokens: "error",
  modelContextWindowExceeded: "error",
};

/**
 * How a run ended, for the `exitReason` option of `withRun`: `max_steps` when the limit of turns stopped it; `policy_stop`
 * when a limit of tokens, a guardrail or a content filter did; `error` when it was cancelled or the model ran out of tokens;
 * `undefined` (a final answer) otherwise, also for a run that waits for the answer to an interrupt.
 *
 * @example
 * ```ts
 * import type { Span } from "@opentelemetry/api";
 * import { withRun } from "agent-reliability-otel-labels";
 * import { exitReasonOf, type StrandsRunResult } from "agent-reliability-otel-labels/strands";
 *
 * declare const agent: { invoke(prompt: string, options: object): Promise<StrandsRunResult> };
 *
 * const answer = (root: Span, prompt: string) =>
 *   withRun(root, () => agent.invoke(prompt, { limits: { turns: 8 } }), {
 *     exitReason: (result) => exitReasonOf(result),
 *   });
 * ```
 */
export function exitReasonOf({ stopReason }: StrandsRunResult): ExitReason | undefined {
  return Object.hasOwn(REASONS, stopReason) ? REASONS[stopReason] : undefined;
}
