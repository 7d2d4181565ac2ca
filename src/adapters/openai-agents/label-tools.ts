/**
 * Labels for a list of tools that the SDK's `tool()` has made.
 *
 * @module
 */
import { context } from "@opentelemetry/api";
import { observeResult } from "../../tool/observe-result.ts";
import { contextWithSharedCall, newSharedCall } from "../../tool/shared-call.ts";
import { beginToolCall } from "../../tool/tool-call.ts";
import { type PreparedTool, prepareTool, type ToolDefinition } from "../../tool/tool-definition.ts";
import { argumentsOf, callIdOf, type ToolCallDetails, tellEnd } from "./sdk-call.ts";
import { currentCallOf, type SdkSpan } from "./sdk-span.ts";
import { agentsTrackers } from "./span-tracker.ts";

/** What is declared about a tool; its name, arguments, call id and span are known from the SDK. */
export type AgentsToolDefinition = Pick<
  ToolDefinition,
  "sideEffect" | "errorClass" | "isEmpty" | "volatileKeys" | "fingerprint" | "run"
>;

type Invoke = (...parameters: unknown[]) => unknown;
interface FunctionToolLike {
  readonly name: string;
  readonly invoke: Invoke;
}

/** Tells a labelled tool from another, also across two installed copies of this package. */
const LABELLED = Symbol.for("agent-reliability-otel-labels.openai-agents.labelled.1");

/**
 * Labels tools that `tool()` has made. Give the tools that come back to the agent; the given ones stay as they are. Tools
 * without a definition are labelled too, without what only a definition knows. What has no function of the application's
 * comes back as it is: the model provider's tools, and agents as tools, which {@link labelRunner} labels.
 *
 * The arguments are fingerprinted as the model wrote them, before defaults and transforms of the schema. The SDK turns what
 * a tool throws into a text for the model before it gets here: the call is labelled as failed, and the class of the error is
 * only known with `errorFunction: null`. {@link labelTool} sees both as the tool does.
 *
 * @param definitions by tool name
 * @throws TypeError or RangeError on a wrong definition, one for a tool that is not there, or a tool that is labelled
 *   already
 * @example
 * ```ts
 * import { labelTools } from "agent-reliability-otel-labels/openai-agents";
 *
 * declare const searchFlights: { name: "search_flights" }; // made by the SDK's `tool()`
 * const tools = labelTools([searchFlights], { search_flights: { sideEffect: "read" } });
 * ```
 */
export function labelTools<const Tools extends readonly unknown[]>(
  tools: Tools,
  definitions: Readonly<Record<string, AgentsToolDefinition>> = {},
): { -readonly [Index in keyof Tools]: Tools[Index] } {
  if (!Array.isArray(tools))
    throw new TypeError("labelTools expected a list of tools as its first parameter");
  const unused = new Set(Object.keys(definitions));
  const labelled = tools.map((tool: unknown) => {
    if (!isFunctionTool(tool)) return tool;
    unused.delete(tool.name);
    return copyWithLabels(tool, Object.hasOwn(definitions, tool.name) ? definitions[tool.name] : undefined);
  });
  const [name] = unused;
  if (name !== undefined) {
    throw new TypeError(
      `labelTools got a definition for "${name}", and no tool of that name with a function; labelRunner() labels MCP tools and agents as tools`,
    );
  }
  return labelled as { -readonly [Index in keyof Tools]: Tools[Index] };
}

// An agent as a tool has `on`, and the SDK knows it by its identity: a copy would be another tool.
function isFunctionTool(tool: unknown): tool is FunctionToolLike {
  const like = tool as (Partial<FunctionToolLike> & { type?: unknown; on?: unknown }) | null | undefined;
  return (
    typeof like === "object" &&
    like?.type === "function" &&
    typeof like.name === "string" &&
    typeof like.invoke === "function" &&
    typeof like.on !== "function"
  );
}

/**
 * The SDK knows a tool's parser by the identity of its `invoke`, and asks it before an approval. So `invoke` is another
 * function only to who reads it inside the call's own span: there it is about to be called. A function of our own for all
 * was rejected: approvals would then see arguments that nobody has checked.
 */
function copyWithLabels(tool: FunctionToolLike, definition: AgentsToolDefinition | undefined): object {
  const { name, invoke } = tool;
  if (LABELLED in tool) throw new TypeError(`labelTools got the tool "${name}", which is labelled already`);
  const prepared = prepareTool({
    ...definition,
    name,
    args: (_context: unknown, text: unknown) => argumentsOf(text),
    callId: (_context: unknown, _text: unknown, details: unknown) =>
      callIdOf((details as ToolCallDetails | undefined)?.toolCall),
  } as ToolDefinition<never>);
  const get = (): Invoke => {
    const call = currentCallOf(name);
    return call === undefined ? invoke : labelledInvoke(tool, prepared, call);
  };
  return Object.create(Object.getPrototypeOf(tool) as object | null, {
    ...Object.getOwnPropertyDescriptors(tool),
    // An accessor, which the SDK's own copies of a tool keep.
    invoke: { get, enumerable: true, configurable: true },
    [LABELLED]: { value: true },
  }) as object;
}

function labelledInvoke(tool: FunctionToolLike, prepared: PreparedTool, call: SdkSpan): Invoke {
  return (...parameters) => {
    // The tool's function may be wrapped as well. It looks in the context, and where the call's span was not there yet when
    // the call began here, in the tracker.
    const shared = newSharedCall();
    return context.with(contextWithSharedCall(context.active(), shared), () => {
      const observer = beginToolCall(prepared, parameters);
      const invoke = () => Reflect.apply(tool.invoke, tool, parameters);
      if (observer === undefined) return invoke();
      const trackers = agentsTrackers();
      for (const tracker of trackers) tracker.rememberCall(call.spanId, shared);
      const end = (tell: () => void) => {
        for (const tracker of trackers) tracker.forgetCall(call.spanId);
        if (!shared.takenOver) tell();
      };
      const failed = (error: unknown) => end(() => observer.failed(error));
      let result: unknown;
      try {
        result = invoke();
      } catch (error) {
        failed(error);
        throw error;
      }
      return observeResult(result, {
        returned: (value) => end(() => tellEnd(observer, call, value)),
        failed,
        unobservable: () => end(() => observer.unobservable()),
      });
    });
  };
}
