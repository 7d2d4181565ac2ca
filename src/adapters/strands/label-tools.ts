/**
 * Labels for the tools of a Strands agent. What all tools have in common is `stream`: those of `tool()`, of an MCP server and
 * agents that are used as tools. To wrap the callbacks was rejected: only some tools have one, and a call whose arguments are
 * wrong never reaches it.
 *
 * @module
 */
import { report } from "../../labels/diagnostics.ts";
import type { CallObserver } from "../../tool/observe-result.ts";
import { beginToolCall } from "../../tool/tool-call.ts";
import { type PreparedTool, prepareTool, type ToolDefinition } from "../../tool/tool-definition.ts";
import { callIdOf, type ToolContext } from "./tool-context.ts";
import { contentOf, isInterrupt, type ToolResult } from "./tool-result.ts";

/** What a Strands tool declares; its name, call id and span are known from Strands. */
export type StrandsToolDefinition = Pick<
  ToolDefinition<(args: unknown) => unknown>,
  "sideEffect" | "errorClass" | "isEmpty" | "args" | "volatileKeys" | "fingerprint" | "run"
>;

type ToolStream = AsyncGenerator<unknown, ToolResult | undefined, undefined>;

/** What all of Strands' tools are. */
interface ToolLike {
  readonly name: string;
  readonly toolSpec: object;
  stream(context: ToolContext): ToolStream;
}

/** Tells a labelled tool from another, also across two installed copies of this package. */
const LABELLED = Symbol.for("agent-reliability-otel-labels.strands.labelled.1");

/**
 * Labels tools for an agent's `tools`. Give the tools that come back to the agent; the given ones stay as they are. Each is
 * the same tool to Strands (class, name, specification). Agents become tools, as Strands itself makes them.
 *
 * Tools without a definition are labelled too. An MCP client comes back as it is, and OpenTelemetry's `diag` says so: label
 * what its `listTools()` gives.
 *
 * The arguments are those that the model gave; the result is the text or the JSON value that goes back to it.
 *
 * @param definitions by tool name
 * @throws TypeError or RangeError on a wrong definition, one for a tool that is not there, or a tool that is labelled
 *   already
 * @example
 * ```ts
 * import { labelTools } from "agent-reliability-otel-labels/strands";
 *
 * declare const searchFlights: { name: string }; // made by Strands' `tool()`
 * const tools = labelTools([searchFlights], { search_flights: { sideEffect: "read" } });
 * // new Agent({ model, tools })
 * ```
 */
export function labelTools<const Tools extends readonly unknown[]>(
  tools: Tools,
  definitions: Readonly<Record<string, StrandsToolDefinition>> = {},
): { -readonly [Index in keyof Tools]: Tools[Index] } {
  const unused = new Set(Object.keys(definitions));
  const labelled = tools.map((given) => {
    const tool = asTool(given);
    if (!isTool(tool)) {
      reportNoTool();
      return given;
    }
    unused.delete(tool.name);
    return labelTool(tool, Object.hasOwn(definitions, tool.name) ? definitions[tool.name] : undefined);
  });
  const [name] = unused;
  if (name !== undefined) throw new TypeError(`labelTools got a definition for "${name}", and no such tool`);
  return labelled as { -readonly [Index in keyof Tools]: Tools[Index] };
}

// An agent has a `stream` too, of another kind.
function asTool(given: unknown): unknown {
  const like = given as { asTool?(): unknown } | null | undefined;
  return typeof like?.asTool === "function" ? like.asTool() : given;
}

function isTool(tool: unknown): tool is ToolLike {
  const like = tool as Partial<ToolLike> | null | undefined;
  return (
    typeof like?.stream === "function" && typeof like.name === "string" && typeof like.toolSpec === "object"
  );
}

// A proxy that changes `stream` alone, which runs on the tool itself: a copy would lose private fields, and changing the
// given tool would label it for everybody who shares it.
function labelTool(tool: ToolLike, definition: StrandsToolDefinition = {}): ToolLike {
  if (LABELLED in tool)
    throw new TypeError(`labelTools got the tool "${tool.name}", which is labelled already`);
  const prepared = prepareStrandsTool(tool.name, definition);
  const stream = (context: ToolContext) => {
    const observer = beginToolCall(prepared, [context?.toolUse?.input, context]);
    const parts = tool.stream(context);
    return observer === undefined ? parts : relay(parts, observer);
  };
  return new Proxy(tool, {
    has: (target, property) => property === LABELLED || Reflect.has(target, property),
    get: (target, property) => (property === "stream" ? stream : (Reflect.get(target, property) as unknown)),
  });
}

// What a tool streams are progress events; its result is what it returns.
async function* relay(parts: ToolStream, observer: CallObserver): ToolStream {
  try {
    const result = yield* parts;
    settle(observer, result);
    return result;
  } catch (error) {
    observer.failed(error);
    throw error;
  }
}

function settle(observer: CallObserver, result: ToolResult | undefined): void {
  try {
    if (result?.error === undefined) observer.returned(contentOf(result));
    else observer.failed(result.error);
  } catch {
    report(
      "strands result",
      "",
      () => "the result of a Strands tool has an unknown form; what is known at the end was left out",
    );
  }
}

function prepareStrandsTool(name: string, definition: StrandsToolDefinition): PreparedTool {
  const errorClass = classOfFailure(definition?.errorClass);
  const known = { name, callId: callIdOf, errorClass };
  return { ...prepareTool({ ...definition, ...known } as ToolDefinition<never>), nameIsExact: true };
}

// Strands interrupts a tool by throwing: no failure.
function classOfFailure(declared: StrandsToolDefinition["errorClass"]): StrandsToolDefinition["errorClass"] {
  if (declared !== undefined && typeof declared !== "function") return declared;
  return (error, result) => (isInterrupt(error) ? null : declared?.(error, result));
}

function reportNoTool(): void {
  report(
    "strands no tool",
    "",
    () =>
      "labelTools() was given something that is no tool, so its calls are not labelled; of an MCP client, give the tools that listTools() gives",
  );
}
