/**
 * How a run of the OpenAI Agents SDK ended that threw.
 *
 * @module
 */
import type { ExitReason } from "../../attributes/registry.ts";
import { errorNameOf } from "../error-name.ts";

const REASONS: ReadonlyMap<string | undefined, ExitReason> = new Map([
  ["MaxTurnsExceededError", "max_steps"],
  ["InputGuardrailTripwireTriggered", "policy_stop"],
  ["OutputGuardrailTripwireTriggered", "policy_stop"],
  ["ToolInputGuardrailTripwireTriggered", "policy_stop"],
  ["ToolOutputGuardrailTripwireTriggered", "policy_stop"],
]);

/**
 * How a run ended, from what it threw, for the `exitReasonOfError` option of `withRun`: `max_steps` for the cap on turns,
 * `policy_stop` for a guardrail that tripped, `undefined` (an error) otherwise. A run that waits for an approval, or whose call a
 * person refused, returns: it has not been stopped.
 *
 * @example
 * ```ts
 * import { type Span } from "@opentelemetry/api";
 * import { withRun } from "agent-reliability-otel-labels";
 * import { exitReasonOfError } from "agent-reliability-otel-labels/openai-agents";
 *
 * declare const runner: { run(prompt: string, options: object): Promise<{ finalOutput?: string }> };
 *
 * const answer = (root: Span, prompt: string) =>
 *   withRun(root, () => runner.run(prompt, { maxTurns: 8 }), { exitReasonOfError });
 * ```
 */
export function exitReasonOfError(error: unknown): ExitReason | undefined {
  return REASONS.get(errorNameOf(error));
}
