/**
 * Labels for the tools of an ADK agent.
 *
 * @module
 */
import type { ToolDefinition } from "../../tool/tool-definition.ts";
import { type AdkTool, isLabelled, labelTool, memberOf, prepareAdkTool } from "./labelled-tool.ts";

/** What an ADK tool declares; its name, call id and span are known from ADK. */
export type AdkToolDefinition = Pick<
  ToolDefinition,
  "sideEffect" | "errorClass" | "isEmpty" | "args" | "volatileKeys" | "fingerprint" | "run"
>;

interface AdkToolset {
  getTools(...parameters: unknown[]): Promise<unknown[]>;
}

// ADK's own way of telling its objects from others, across copies of it: an agent has a `runAsync` too.
const TOOL = Symbol.for("google.adk.baseTool");
const TOOLSET = Symbol.for("google.adk.baseToolset");

/**
 * Labels the tools of an ADK agent. Give the tools that come back to the agent; the given ones stay as they are. Each is the
 * same kind of tool to ADK.
 *
 * Tools without a definition are labelled too, and so are the tools that a toolset (MCP, OpenAPI) brings at run time. What is
 * neither, such as an agent or a workflow node, comes back as it is: put an agent into an `AgentTool`.
 *
 * @param definitions by tool name
 * @throws TypeError or RangeError on a wrong definition, one for a tool that is not there, or a tool that is labelled already
 * @example
 * ```ts
 * import { labelTools } from "agent-reliability-otel-labels/google-adk";
 *
 * declare const searchFlights: { name: string }; // a FunctionTool
 * const tools = labelTools([searchFlights], { search_flights: { sideEffect: "read" } });
 * ```
 */
export function labelTools<const Tools extends readonly unknown[]>(
  tools: Tools,
  definitions: Readonly<Record<string, AdkToolDefinition>> = {},
): { -readonly [Index in keyof Tools]: Tools[Index] } {
  const prepared = new Map(
    Object.entries(definitions).map(([name, definition]) => [name, prepareAdkTool(name, definition)]),
  );
  const unused = new Set(prepared.keys());
  let bringsMore = false;
  const label = (tool: unknown): unknown => {
    if (!isTool(tool)) return tool;
    if (isLabelled(tool))
      throw new TypeError(`labelTools got the tool "${tool.name}", which is labelled already`);
    unused.delete(tool.name);
    return labelTool(tool, prepared.get(tool.name) ?? prepareAdkTool(tool.name));
  };
  const labelled = tools.map((tool) => {
    if (!isToolset(tool)) return label(tool);
    bringsMore = true;
    return labelToolset(tool, label);
  });
  const [name] = unused;
  if (name !== undefined && !bringsMore) {
    throw new TypeError(`labelTools got a definition for "${name}", and no tool of that name`);
  }
  return labelled as { -readonly [Index in keyof Tools]: Tools[Index] };
}

function labelToolset(toolset: AdkToolset, label: (tool: unknown) => unknown): AdkToolset {
  return new Proxy(toolset, {
    get(target, property) {
      if (property !== "getTools") return memberOf(target, property);
      return async (...parameters: unknown[]) => {
        const tools = await target.getTools(...parameters);
        return tools.map((tool) => (isTool(tool) && isLabelled(tool) ? tool : label(tool)));
      };
    },
  });
}

function isTool(tool: unknown): tool is AdkTool {
  if (typeof tool !== "object" || tool === null || !(TOOL in tool)) return false;
  const { name, runAsync } = tool as Partial<AdkTool>;
  return typeof name === "string" && name !== "" && typeof runAsync === "function";
}

const isToolset = (toolset: unknown): toolset is AdkToolset =>
  typeof toolset === "object" &&
  toolset !== null &&
  TOOLSET in toolset &&
  typeof (toolset as Partial<AdkToolset>).getTools === "function";
