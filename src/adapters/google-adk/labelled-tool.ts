/**
 * One tool of ADK, labelled. The tool's span is the active one in `runAsync`, has only its name there, and is ADK's own.
 *
 * @module
 */
import { report } from "../../labels/diagnostics.ts";
import { isSensitive } from "../../tool/sensitive.ts";
import { beginToolCall } from "../../tool/tool-call.ts";
import { type PreparedTool, prepareTool, type ToolFunction } from "../../tool/tool-definition.ts";
import { wrapPreparedTool } from "../../tool/wrap-tool.ts";

/** What ADK calls a tool with. */
interface ToolRequest {
  readonly args?: unknown;
  readonly toolContext?: { readonly functionCallId?: unknown };
}

/** What all tools of ADK are. */
export interface AdkTool {
  readonly name: string;
  runAsync(request: ToolRequest): Promise<unknown>;
}

/** A `FunctionTool`, as far as it is used: `runAsync` checks arguments and approval, then calls `execute`. */
interface FunctionToolLike extends AdkTool {
  execute(input: unknown, toolContext: unknown): unknown;
  validateArgs(args: unknown): unknown;
}

const LABELLED = Symbol.for("agent-reliability-otel-labels.google-adk.labelled.1");
const FUNCTION_TOOL = Symbol.for("google.adk.functionTool");

/**
 * A definition, checked. ADK names a call's span after the tool, so another name is another call.
 *
 * @throws TypeError or RangeError on a wrong definition
 */
export function prepareAdkTool(name: string, definition: object = {}): PreparedTool {
  const callId = (_input: unknown, context: ToolRequest["toolContext"]) => {
    const id = context?.functionCallId;
    return typeof id === "string" ? id : undefined;
  };
  return { ...prepareTool({ ...definition, name, callId } as never), nameIsExact: true };
}

/** Whether the tool came out of {@link labelTool}, of this copy of the package or another. */
export const isLabelled = (tool: object): boolean => LABELLED in tool;

/**
 * The tool, labelled. Its methods run on the tool itself, whose private fields no other object has; the one that tells the
 * model's request about the tool would register it without labels, and is put right.
 */
export function labelTool<Tool extends AdkTool>(tool: Tool, prepared: PreparedTool): Tool {
  const runAsync = isFunctionTool(tool) ? functionRunner(tool, prepared) : toolRunner(tool, prepared);
  const labelled: Tool = new Proxy(tool, {
    has: (target, property) => property === LABELLED || Reflect.has(target, property),
    get(target, property) {
      if (property === "runAsync") return runAsync;
      const member = memberOf(target, property);
      if (property !== "processLlmRequest" || typeof member !== "function") return member;
      return async (request: unknown) => {
        await Reflect.apply(member, target, [request]);
        register(labelled, target, request);
      };
    },
  });
  return labelled;
}

/** A member of `target`; a method runs on `target` itself. */
export function memberOf(target: object, property: string | symbol): unknown {
  const member = Reflect.get(target, property) as unknown;
  // ADK writes the class's name on the span.
  return typeof member === "function" && property !== "constructor" ? member.bind(target) : member;
}

// `execute` and not `runAsync`, where ADK has the two: a call that waits for its approval, or was refused it, is answered by
// `runAsync`; and what `execute` throws becomes another error there, without the facts that tell its class.
function functionRunner(tool: FunctionToolLike, given: PreparedTool): AdkTool["runAsync"] {
  const prepared = isSensitive(tool.execute) ? { ...given, sensitive: true } : given;
  const execute = wrapPreparedTool(prepared, ((...parameters: [unknown, unknown]) =>
    tool.execute(...parameters)) as ToolFunction);
  return (request) =>
    tool.runAsync.call(
      Object.create(tool, {
        execute: { value: execute },
        validateArgs: {
          value: (args: unknown) => {
            try {
              return tool.validateArgs(args);
            } catch (error) {
              // The span is there, and the model will try again: a call like any other, that failed.
              beginToolCall(prepared, [args, request.toolContext])?.failed(error);
              throw error;
            }
          },
        },
      }) as FunctionToolLike,
      request,
    );
}

function toolRunner(tool: AdkTool, prepared: PreparedTool): AdkTool["runAsync"] {
  // The definition speaks of arguments and context, as a function tool gets them.
  const inner = (...[, , request]: [unknown, unknown, ToolRequest]) => tool.runAsync(request);
  const wrapped = wrapPreparedTool(prepared, inner as ToolFunction) as typeof inner;
  return (request) => wrapped(request?.args, request?.toolContext, request);
}

// Only where `runAsync` is ADK's own and made as expected: a class of the application's may do without the rest, and may use
// private fields.
function isFunctionTool(tool: AdkTool): tool is FunctionToolLike {
  if (!(FUNCTION_TOOL in tool)) return false;
  let holder: object | null = tool;
  while (holder !== null && !Object.hasOwn(holder, "runAsync")) holder = Object.getPrototypeOf(holder);
  const expected =
    holder !== null &&
    Object.hasOwn(holder, "validateArgs") &&
    Object.hasOwn(holder, "checkConfirmation") &&
    typeof (tool as Partial<FunctionToolLike>).execute === "function";
  if (!expected) {
    report(
      "adk function tool",
      tool.name,
      () =>
        `the tool "${tool.name}" runs in a way of its own: what it throws has no error class, and a call that waits for an approval is labelled as one that ran`,
    );
  }
  return expected;
}

function register(labelled: AdkTool, tool: AdkTool, request: unknown): void {
  try {
    const { toolsDict } = (request as { llmRequest: { toolsDict: Record<string, unknown> } }).llmRequest;
    if (toolsDict[tool.name] === tool) toolsDict[tool.name] = labelled;
  } catch {
    report(
      "adk register",
      tool.name,
      () => `the tool "${tool.name}" is not labelled: ADK keeps its tools in a place that is not known`,
    );
  }
}
