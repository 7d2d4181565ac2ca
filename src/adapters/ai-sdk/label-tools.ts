/**
 * Labels for a whole tool set of the AI SDK 5, 6 and 7.
 *
 * @module
 */
import {
  type PreparedTool,
  prepareTool,
  type ToolDefinition,
  type ToolFunction,
} from "../../tool/tool-definition.ts";
import { labelToolSet, type ToolSet } from "../tool-set.ts";

/** A tool set as the AI SDK takes it: tools by name. */
export type AiToolSet = ToolSet;

type ExecuteOf<Tool> = Tool extends { execute?: infer Execute } ? Extract<Execute, ToolFunction> : never;
// The SDK's type of `execute` allows a value, a promise of it and a stream of it; the last value is the result.
type ValueOf<Returned> = Returned extends AsyncIterable<infer Value> ? Value : Awaited<Returned>;

/** What is declared about one tool: a {@link ToolDefinition} whose name is the tool's key in the set. */
export interface AiToolDefinition<Execute extends ToolFunction = ToolFunction>
  extends Omit<ToolDefinition<Execute>, "name" | "isEmpty"> {
  /** Whether a result counts as "found nothing", which is labelled as the error class `empty`. */
  readonly isEmpty?: ((result: ValueOf<ReturnType<Execute>>) => boolean) | undefined;
}

/** Definitions for the tools of a set, by name. */
export type AiToolDefinitions<Tools extends AiToolSet> = {
  readonly [Name in keyof Tools]?: AiToolDefinition<ExecuteOf<Tools[Name]>>;
};

/**
 * Labels every tool of a set that has an `execute` function. Give the returned set to `generateText`, `streamText` or an
 * agent; do it last, so that no other wrapper comes around it.
 *
 * @returns a set of the same type: tools without `execute` are the same objects, the others are copies
 * @throws RangeError on a definition for a tool that the set does not have
 * @throws TypeError or RangeError on a wrong definition
 * @example
 * ```ts
 * import { tool } from "ai";
 * import { labelTools } from "agent-reliability-otel-labels/ai-sdk";
 * import { z } from "zod";
 *
 * const tools = labelTools(
 *   {
 *     search_flights: tool({
 *       inputSchema: z.object({ to: z.string() }),
 *       execute: async ({ to }): Promise<string[]> => [`LHR-${to}`],
 *     }),
 *   },
 *   { search_flights: { sideEffect: "read", isEmpty: (flights) => flights.length === 0 } },
 * );
 * ```
 */
export function labelTools<Tools extends AiToolSet>(
  tools: Tools,
  definitions: AiToolDefinitions<Tools> = {},
): Tools {
  return labelToolSet(tools, definitions, prepareAiTool);
}

/**
 * A definition, checked. The SDK names a call's span after the tool's key, so another name is another call: an outer tool's
 * span is still active while a nested agent, whose telemetry is off, makes its own "call_1".
 *
 * @throws TypeError or RangeError on a wrong definition
 */
export function prepareAiTool(name: string, definition: object = {}): PreparedTool {
  return { ...prepareTool({ ...definition, name }), nameIsExact: true };
}
