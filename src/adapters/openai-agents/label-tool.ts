/**
 * Labels for one tool, by wrapping the function that it is made of.
 *
 * @module
 */
import type { ToolDefinition } from "../../tool/tool-definition.ts";
import { wrapTool } from "../../tool/wrap-tool.ts";
import { callIdOf, type ToolCallDetails } from "./sdk-call.ts";

/**
 * Wraps the `execute` function of a tool: `wrapTool`, which is told where this SDK hands over the call id. What the function
 * throws is seen here, before the SDK turns it into a text for the model.
 *
 * @throws TypeError or RangeError on a wrong definition
 * @example
 * ```ts
 * import { labelTool } from "agent-reliability-otel-labels/openai-agents";
 *
 * const execute = labelTool(
 *   { name: "search_flights", sideEffect: "read" },
 *   async ({ to }: { to: string }): Promise<string[]> => [`LHR-${to}`],
 * );
 * // tool({ name: "search_flights", description, parameters, execute })
 * ```
 */
export function labelTool<Args, Rest extends unknown[], Result>(
  definition: ToolDefinition<(args: NoInfer<Args>, ...rest: NoInfer<Rest>) => NoInfer<Result>>,
  execute: (args: Args, ...rest: Rest) => Result,
): (args: Args, ...rest: Rest) => Result {
  // Not one type parameter for the whole function, as `wrapTool` has: within the SDK's `tool()` that would lose the type of
  // the arguments.
  const callId = (...parameters: unknown[]) =>
    callIdOf((parameters[2] as ToolCallDetails | undefined)?.toolCall);
  return wrapTool(
    { ...definition, callId: definition?.callId ?? callId } as ToolDefinition<typeof execute>,
    execute,
  );
}
