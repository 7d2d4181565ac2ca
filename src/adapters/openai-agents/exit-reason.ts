/**
 * How a run of the OpenAI Agents SDK ended: what it threw, and what a stream that was stopped does not throw.
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

/** What is read of a result: of a streamed run once it is completed; other results have nothing of it. */
export interface AgentsRunResult {
  /** `true` for a stream that was aborted, or that nobody read to its end. */
  readonly cancelled?: boolean | undefined;
}

/**
 * How a run ended that returned, for the `exitReason` option of `withRun`: `error` for a stream that was aborted or that nobody
 * read to its end, which completes like any other; `undefined` (a final answer) otherwise.
 *
 * @example
 * ```ts
 * import { type Span } from "@opentelemetry/api";
 * import { withRun } from "agent-reliability-otel-labels";
 * import { exitReasonOf, exitReasonOfError } from "agent-reliability-otel-labels/openai-agents";
 *
 * interface Stream {
 *   readonly completed: Promise<void>;
 *   readonly cancelled: boolean;
 *   readonly finalOutput?: string;
 * }
 * declare const runner: { run(prompt: string, options: object): Promise<Stream> };
 *
 * const answer = (root: Span, prompt: string, signal: AbortSignal) =>
 *   withRun(
 *     root,
 *     async () => {
 *       const stream = await runner.run(prompt, { stream: true, signal });
 *       await stream.completed;
 *       return { answer: stream.finalOutput, cancelled: stream.cancelled };
 *     },
 *     { exitReason: exitReasonOf, exitReasonOfError },
 *   );
 * ```
 */
export function exitReasonOf({ cancelled }: AgentsRunResult): ExitReason | undefined {
  return cancelled === true ? "error" : undefined;
}
