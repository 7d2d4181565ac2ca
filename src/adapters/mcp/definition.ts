/**
 * What is declared about the tools of a server, by name.
 *
 * @module
 */
import { errorClassOf } from "../../tool/error-class.ts";
import { type PreparedTool, prepareTool, type ToolDefinition } from "../../tool/tool-definition.ts";

/** The result of a tool as the protocol has it. What a server sends, nobody has checked. */
export interface McpToolResult {
  /** The result's blocks; `text` is there in those of type `text`. */
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  /** The result as data, for tools with an output schema. */
  readonly structuredContent?: unknown;
  /** `true`: the tool failed, and the content says why. Absent counts as `false`. */
  readonly isError?: boolean;
}

/** What a tool declares; its name is known from the protocol, and its span is found. */
export type McpToolDefinition = Pick<
  ToolDefinition<(args: Readonly<Record<string, unknown>>) => McpToolResult>,
  "sideEffect" | "errorClass" | "isEmpty" | "args" | "volatileKeys" | "fingerprint" | "run"
>;

/** Definitions by the tool's name. */
export type McpToolDefinitions = Readonly<Record<string, McpToolDefinition>>;

/**
 * Checks all definitions now.
 *
 * @returns gives the tool of a name; a name that was not declared is a tool too, of which nothing is known
 * @throws TypeError or RangeError on a wrong definition
 */
export function prepareTools(definitions: McpToolDefinitions): (name: string) => PreparedTool {
  // A map, since the names that are looked up are chosen by others.
  const prepared = new Map(
    Object.entries(definitions).map(([name, definition]) => [name, prepare(name, definition)]),
  );
  return (name) => prepared.get(name) ?? prepare(name, {});
}

function prepare(name: string, definition: McpToolDefinition): PreparedTool {
  const tool = prepareTool({ ...definition, name } as ToolDefinition<never>);
  return { ...tool, errorClass: (error, result) => tool.errorClass?.(error, result) ?? classOfHttp(error) };
}

// SDK 1 throws the HTTP status of a refused request as `code`. The codes of JSON-RPC are numbers too, but what a server
// answered is no `Error` here.
function classOfHttp(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  return errorClassOf({ status: (error as { code?: unknown }).code });
}

/**
 * The part of a result that says what the tool returned. Two equal results differ in `_meta` (progress, the server's
 * version) and in what only the transfer needs.
 */
export function resultOf(result: unknown): unknown {
  if (typeof result !== "object" || result === null || Array.isArray(result)) return result;
  const { _meta, resultType, isError, ...rest } = result as Record<string, unknown>;
  return isError === true ? { ...rest, isError } : rest;
}
