/**
 * How a run of LangChain or LangGraph ended that threw.
 *
 * @module
 */
import type { ExitReason } from "../../attributes/registry.ts";
import { errorNameOf } from "../error-name.ts";

/** All are caps on how often a run goes round. */
const CAPS: readonly (string | undefined)[] = [
  "GraphRecursionError",
  "ModelCallLimitMiddlewareError",
  "ToolCallLimitExceededError",
];

/**
 * How a run ended, from what it threw, for the `exitReasonOfError` option of `withRun`: `max_steps` for LangGraph's recursion
 * limit and for the limits of calls that middleware sets, `undefined` (an error) otherwise.
 *
 * @example
 * ```ts
 * import { type Span } from "@opentelemetry/api";
 * import { withRun } from "agent-reliability-otel-labels";
 * import { exitReasonOfError } from "agent-reliability-otel-labels/langchain";
 *
 * declare const agent: { invoke(input: object, config: object): Promise<object> };
 *
 * const answer = (root: Span, messages: object[]) =>
 *   withRun(root, () => agent.invoke({ messages }, { recursionLimit: 20 }), { exitReasonOfError });
 * ```
 */
export function exitReasonOfError(error: unknown): ExitReason | undefined {
  return CAPS.includes(errorNameOf(error)) ? "max_steps" : undefined;
}
