/**
 * Wrapping a tool function, so that its calls are labelled without any code in it.
 *
 * @module
 */
import { observeResult } from "./observe-result.ts";
import { isSensitive } from "./sensitive.ts";
import { beginToolCall } from "./tool-call.ts";
import { type PreparedTool, prepareTool, type ToolDefinition, type ToolFunction } from "./tool-definition.ts";

/**
 * Wraps a tool function. The wrapped function has the same type, `this`, arity and properties, gives the same results,
 * throws the same values and stays as sync or async as it was; each call is labelled on the framework's own tool span.
 * Make it the outermost wrapper, so that the framework's span is the one that is active.
 *
 * Where no span is surely this call's, nothing is written and OpenTelemetry's `diag` says so once per tool. A labelling
 * fault never reaches the tool or its caller.
 *
 * @throws TypeError or RangeError on a wrong definition, here and never later
 * @example
 * ```ts
 * import { wrapTool } from "agent-reliability-otel-labels";
 *
 * const searchFlights = wrapTool(
 *   { name: "search_flights", sideEffect: "read", isEmpty: (flights) => flights.length === 0 },
 *   async (query: { from: string; to: string }): Promise<string[]> => [`${query.from}-${query.to}`],
 * );
 * ```
 */
export function wrapTool<Tool extends ToolFunction>(definition: ToolDefinition<Tool>, tool: Tool): Tool {
  const prepared = prepareTool(definition as ToolDefinition<never>);
  if (typeof tool !== "function") {
    throw new TypeError("wrapTool expected the tool function as its second parameter");
  }
  return wrapPreparedTool(prepared, tool);
}

/** {@link wrapTool} for a definition that is checked already. */
export function wrapPreparedTool<Tool extends ToolFunction>(given: PreparedTool, tool: Tool): Tool {
  const prepared = isSensitive(tool) ? { ...given, sensitive: true } : given;
  // A proxy, so that everything about the function but the call itself is the function's own: name, length,
  // properties, and being an async function, which some frameworks look at.
  return new Proxy(tool, {
    apply(target, self, parameters: unknown[]) {
      const observer = beginToolCall(prepared, parameters);
      if (observer === undefined) return Reflect.apply(target, self, parameters);
      let result: unknown;
      try {
        result = Reflect.apply(target, self, parameters);
      } catch (error) {
        observer.failed(error);
        throw error;
      }
      return observeResult(result, observer);
    },
  });
}
