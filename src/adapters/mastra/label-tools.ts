/**
 * Labels for the tools of a Mastra agent.
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
import { callIdOf, spanOfCall } from "./tool-span.ts";

/** Tools as an agent takes them: by name. */
export type MastraToolSet = ToolSet;

type ResultOf<Tool> = Tool extends { execute?: infer Execute }
  ? // Mastra adds its validation error and the nothing of a suspended tool to the type of every tool's result.
    // biome-ignore lint/suspicious/noConfusingVoidType: it is what Mastra's type says
    Exclude<Awaited<ReturnType<Extract<Execute, ToolFunction>>>, MastraValidationError | void>
  : never;

interface MastraValidationError {
  readonly error: true;
  readonly message: string;
  readonly validationErrors: unknown;
}

/** What is declared about one tool; its name is its key in the set, its call id and its span are known from Mastra. */
export interface MastraToolDefinition<Result = unknown>
  extends Pick<
    ToolDefinition,
    "sideEffect" | "errorClass" | "args" | "volatileKeys" | "fingerprint" | "run"
  > {
  /** Whether a result counts as "found nothing", which is labelled as the error class `empty`. */
  readonly isEmpty?: ((result: Result) => boolean) | undefined;
}

/** Definitions for the tools of a set, by name. */
export type MastraToolDefinitions<Tools extends MastraToolSet> = {
  readonly [Name in keyof Tools]?: MastraToolDefinition<ResultOf<Tools[Name]>>;
};

/**
 * Labels every tool of a set that has an `execute` function: of `createTool`, of an MCP client, of the AI SDK. Give the
 * returned set to the agent; do it last, so that no other wrapper comes around it.
 *
 * @returns a set of the same type: tools without `execute` are the same objects, the others are copies
 * @throws RangeError on a definition for a tool that the set does not have
 * @throws TypeError or RangeError on a wrong definition
 * @example
 * ```ts
 * import { labelTools } from "agent-reliability-otel-labels/mastra";
 *
 * declare const searchFlights: { execute(query: { to: string }): Promise<string[]> }; // made by Mastra's `createTool()`
 *
 * const tools = labelTools(
 *   { search_flights: searchFlights },
 *   { search_flights: { sideEffect: "read", isEmpty: (flights) => flights.length === 0 } },
 * );
 * // new Agent({ id: "travel", name: "Travel", instructions, model, tools })
 * ```
 */
export function labelTools<Tools extends MastraToolSet>(
  tools: Tools,
  definitions: MastraToolDefinitions<Tools> = {},
): Tools {
  return labelToolSet(tools, definitions, prepareMastraTool);
}

function prepareMastraTool(name: string, definition: MastraToolDefinition = {}): PreparedTool {
  const errorClass = classOfFailure(definition?.errorClass);
  const known = { name, callId: callIdOf, span: spanOfCall, errorClass };
  return { ...prepareTool({ ...definition, ...known } as ToolDefinition<never>), nameIsExact: true };
}

// A result that does not fit the tool's schema comes back from Mastra's own part of the tool as an error of this form.
function classOfFailure(declared: ToolDefinition["errorClass"]): ToolDefinition["errorClass"] {
  if (declared !== undefined && typeof declared !== "function") return declared;
  return (error, result) => {
    const own = declared?.(error, result);
    return own === undefined && isValidationError(result) ? "schema" : own;
  };
}

function isValidationError(result: unknown): boolean {
  if (typeof result !== "object" || result === null) return false;
  return (
    (result as Partial<MastraValidationError>).error === true && Object.hasOwn(result, "validationErrors")
  );
}
