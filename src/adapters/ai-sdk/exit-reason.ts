/**
 * How a run of the AI SDK ended, from its result.
 *
 * @module
 */
import type { ExitReason } from "../../attributes/registry.ts";

/** What is read of a result: of `generateText` and of an agent as it is, of a stream once both are awaited. */
export interface AiRunResult {
  /** Why the last step ended: `tool-calls` and `error` are looked at, any other counts as an answer. */
  readonly finishReason: string;
  /**
   * The run's steps, the oldest first: `content` is the parts of the model's answer and the results of its tools. A
   * `finishReason` of the last step that differs from the run's says that the stream broke off.
   */
  readonly steps: readonly { readonly content: readonly object[]; readonly finishReason?: string }[];
}

/** Parts that settle a tool call. */
const SETTLED: readonly unknown[] = ["tool-result", "tool-error", "tool-output-denied"];

/**
 * How a run ended, for the `exitReason` option of `withRun`: `max_steps` when it stopped although the model still wanted
 * tools, `error` when the model reported an error or a stream broke off between its steps, `undefined` (a final answer)
 * otherwise.
 *
 * A run that waits for an approval or for a tool of the client has not been stopped: `undefined`.
 *
 * @param maxSteps the cap of the run, needed when it has other stop conditions too, such as `hasToolCall`: those leave the
 *   same result behind, and only a run that made this many steps is `max_steps`
 * @example
 * ```ts
 * import { type Span } from "@opentelemetry/api";
 * import { withRun } from "agent-reliability-otel-labels";
 * import { exitReasonOf } from "agent-reliability-otel-labels/ai-sdk";
 * import { generateText, type LanguageModel, stepCountIs, type ToolSet } from "ai";
 *
 * const answer = (root: Span, model: LanguageModel, tools: ToolSet, prompt: string) =>
 *   withRun(root, () => generateText({ model, tools, prompt, stopWhen: stepCountIs(8) }), {
 *     exitReason: (result) => exitReasonOf(result),
 *   });
 * ```
 */
export function exitReasonOf(result: AiRunResult, maxSteps?: number): ExitReason | undefined {
  const { finishReason, steps } = result;
  if (finishReason === "error" || brokeOff(result)) return "error";
  if (finishReason !== "tool-calls") return undefined;
  if (maxSteps !== undefined && steps.length < maxSteps) return undefined;
  const parts = (steps.at(-1)?.content ?? []) as readonly { type?: unknown; toolCallId?: unknown }[];
  const settled = new Set(
    parts.filter(({ type }) => SETTLED.includes(type)).map(({ toolCallId }) => toolCallId),
  );
  // The SDK goes on only when every call has its result; one that has none ended the run, not the cap.
  const waits = parts.some(({ type, toolCallId }) => type === "tool-call" && !settled.has(toolCallId));
  return waits ? undefined : "max_steps";
}

// A stream whose model fails in a later step, or that is aborted there, throws at nobody: it ends with the steps that there
// were and a reason of its own, where every other end has the reason of its last step.
function brokeOff({ finishReason, steps }: AiRunResult): boolean {
  const last = steps.at(-1)?.finishReason;
  return last !== undefined && last !== finishReason;
}
