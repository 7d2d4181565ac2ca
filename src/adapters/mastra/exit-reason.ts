/**
 * How a run of Mastra ended, from its result.
 *
 * @module
 */
import type { ExitReason } from "../../attributes/registry.ts";

/** What is read of a result: of `generate`, or of a stream's `getFullOutput()`. */
export interface MastraRunResult {
  /** Why the last step ended: `tool-calls`, `error` and `aborted` are looked at, any other counts as an answer. */
  readonly finishReason?: string | undefined;
  /** Set when a processor stopped the run; what it holds is not looked at. */
  readonly tripwire?: unknown;
  /** The run's steps, the oldest first. The calls and results of the last tell whether the run waits for somebody. */
  readonly steps: readonly object[];
}

interface Step {
  readonly toolCalls?: readonly ToolPart[];
  readonly toolResults?: readonly ToolPart[];
  readonly content?: readonly ToolPart[];
}
interface ToolPart {
  readonly type?: unknown;
  readonly toolCallId?: unknown;
  readonly payload?: { readonly toolCallId?: unknown };
}

/**
 * How a run ended, for the `exitReason` option of `withRun`: `policy_stop` when a processor tripped, `max_steps` when it
 * stopped although the model still wanted tools, `error` when the model reported an error, `undefined` (a final answer)
 * otherwise.
 *
 * A run that waits for an approval or for a tool of the client has not been stopped: `undefined`.
 *
 * @param maxSteps the cap of the run, needed when it has a `stopWhen` too: that leaves the same result behind, and only a
 *   run that made this many steps is `max_steps`
 * @example
 * ```ts
 * import type { Span } from "@opentelemetry/api";
 * import { withRun } from "agent-reliability-otel-labels";
 * import { exitReasonOf, type MastraRunResult } from "agent-reliability-otel-labels/mastra";
 *
 * declare const agent: { generate(prompt: string, options: object): Promise<MastraRunResult> };
 *
 * const answer = (root: Span, prompt: string) =>
 *   withRun(root, () => agent.generate(prompt, { maxSteps: 8 }), {
 *     exitReason: (result) => exitReasonOf(result),
 *   });
 * ```
 */
export function exitReasonOf(result: MastraRunResult, maxSteps?: number): ExitReason | undefined {
  const { finishReason, tripwire, steps } = result;
  if (tripwire !== undefined && tripwire !== null) return "policy_stop";
  // An abort is no error to Mastra: the run returns with the steps that there were.
  if (finishReason === "error" || finishReason === "aborted") return "error";
  if (finishReason !== "tool-calls") return undefined;
  if (maxSteps !== undefined && steps.length < maxSteps) return undefined;
  return waits(steps.at(-1)) ? undefined : "max_steps";
}

// Mastra goes on only when every call has its result; one that has none ended the run, not the cap.
function waits(step: Step | undefined): boolean {
  const settled = new Set(step?.toolResults?.map(idOf));
  for (const part of step?.content ?? []) {
    if (part.type === "tool-error" || part.type === "tool-result") settled.add(idOf(part));
  }
  return step?.toolCalls?.some((call) => !settled.has(idOf(call))) === true;
}

function idOf({ payload, toolCallId }: ToolPart): unknown {
  return payload?.toolCallId ?? toolCallId;
}
