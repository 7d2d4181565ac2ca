/**
 * LangChain 1 and LangGraph 1: labels on the tool spans of OpenInference, Traceloop or Langfuse.
 *
 * None of these ever makes a tool's span the active one. Each is a callback handler with a map from run id to span, and
 * LangChain hands every tool its own run's manager: that leads from the call to its span.
 *
 * @module
 */
import { context } from "@opentelemetry/api";
import { report } from "../labels/diagnostics.ts";
import type { CallObserver } from "../tool/observe-result.ts";
import { isSensitive } from "../tool/sensitive.ts";
import { contextWithSharedCall, newSharedCall, type SharedCall } from "../tool/shared-call.ts";
import { beginToolCall } from "../tool/tool-call.ts";
import { type PreparedTool, prepareTool, type ToolDefinition } from "../tool/tool-definition.ts";
import { isControlFlow } from "./langchain/control-flow.ts";
import { DeferredSpan } from "./langchain/deferred-span.ts";
import { relayGenerator } from "./langchain/generator.ts";
import { delegatingManager } from "./langchain/handoff.ts";
import { type RunManager, waitForRunSpan } from "./langchain/run-span.ts";

export { contractTool } from "./langchain/contract-tool.ts";
export { exitReasonOfError } from "./langchain/exit-reason.ts";
export { mediatedTool } from "./langchain/mediated-tool.ts";
export {
  type LangChainToolCall,
  type ReviewAnswer,
  type ReviewRequest,
  type ReviewSdk,
  reviewToolCalls,
} from "./langchain/review-tool-calls.ts";
export type { LangChainToolParameters } from "./langchain/tool-parameters.ts";

/** What a LangChain tool declares; its name, call id and span are known from LangChain. */
export type LangChainToolDefinition = Pick<
  ToolDefinition,
  "sideEffect" | "errorClass" | "isEmpty" | "args" | "volatileKeys" | "fingerprint" | "run"
>;

/** What all of LangChain's tools are: `_call` gets the parsed input, the run manager and the config. */
interface StructuredToolLike {
  readonly name: string;
  _call(input: unknown, runManager?: RunManager, config?: unknown): unknown;
}

/** Tells a labelled tool from another, also across two installed copies of this package. */
const LABELLED = Symbol.for("agent-reliability-otel-labels.langchain.labelled.1");

/**
 * Labels LangChain tools, for `createAgent`, `ToolNode` and `invoke`. Give the tools that come back to the agent; the
 * given ones stay as they are. Each is the same tool to LangChain (class, schema, name).
 *
 * Tools without a definition are labelled too, without what only a definition knows. What is no tool with a
 * function, such as a tool of the model's provider, comes back as it is.
 *
 * @param definitions by tool name
 * @throws TypeError or RangeError on a wrong definition, one for a tool that is not there, or a tool that is labelled
 *   already
 * @example
 * ```ts
 * import { labelTools } from "agent-reliability-otel-labels/langchain";
 *
 * declare const searchFlights: { name: "search_flights" }; // made by LangChain's `tool()`
 * const tools = labelTools([searchFlights], { search_flights: { sideEffect: "read" } });
 * ```
 */
export function labelTools<const Tools extends readonly unknown[]>(
  tools: Tools,
  definitions: Readonly<Record<string, LangChainToolDefinition>> = {},
): { -readonly [Index in keyof Tools]: Tools[Index] } {
  const unused = new Set(Object.keys(definitions));
  const labelled = tools.map((tool) => {
    if (!isStructuredTool(tool)) return tool;
    unused.delete(tool.name);
    const own = Object.hasOwn(definitions, tool.name) ? definitions[tool.name] : undefined;
    return labelTool(tool, own ?? {});
  });
  const [name] = unused;
  if (name !== undefined) {
    throw new TypeError(
      `labelTools got a definition for "${name}", and no tool of that name with a function`,
    );
  }
  return labelled as { -readonly [Index in keyof Tools]: Tools[Index] };
}

function isStructuredTool(tool: unknown): tool is StructuredToolLike {
  const like = tool as Partial<StructuredToolLike> | null | undefined;
  return typeof like === "object" && typeof like?._call === "function" && typeof like.name === "string";
}

// A proxy that changes `_call` alone, which runs on the tool itself: a copy would lose private fields, and changing the
// given tool would label it for everybody who shares it.
function labelTool<Tool extends StructuredToolLike>(tool: Tool, definition: LangChainToolDefinition): Tool {
  if (LABELLED in tool)
    throw new TypeError(`labelTools got the tool "${tool.name}", which is labelled already`);
  const prepared = prepareTool({
    ...definition,
    name: tool.name,
    callId: callIdOf,
    errorClass: classOfFailure(definition.errorClass),
  });
  const own = { ...prepared, sensitive: isSensitive((tool as { schema?: unknown }).schema) };
  const call = (...parameters: Parameters<Tool["_call"]>) => callTool(tool, own, parameters);
  return new Proxy(tool, {
    has: (target, property) => property === LABELLED || Reflect.has(target, property),
    get: (target, property) => (property === "_call" ? call : (Reflect.get(target, property) as unknown)),
  });
}

// LangChain awaits `_call`, so the tool may start some microtasks late, when its span is there: a tool that is done
// before it has a span could not be labelled. Where LangChain's queue is further behind, the labels wait instead.
async function callTool(
  tool: StructuredToolLike,
  prepared: PreparedTool,
  parameters: Parameters<StructuredToolLike["_call"]>,
): Promise<unknown> {
  const [input, runManager, config] = parameters;
  const found = await waitForRunSpan(runManager);
  const deferred = found === "late" ? new DeferredSpan() : undefined;
  const span = found === "late" ? deferred : found;
  // The tool's function may be labelled by its contract or by `wrapTool`, which then finds the span here.
  const shared = newSharedCall();
  const scoped = contextWithSharedCall(context.active(), shared);
  const observer = unlessTakenOver(
    shared,
    context.with(scoped, () => beginToolCall({ ...prepared, span }, parameters)),
  );
  const settle = async () => {
    // LangChain ends the span after this call has returned, so a span that is there now is still open.
    if (deferred !== undefined && !deferred.writeTo(await waitForRunSpan(runManager))) reportLate(tool.name);
  };
  let result: unknown;
  try {
    result = await context.with(scoped, () => tool._call(input, delegatingManager(runManager), config));
  } catch (error) {
    observer?.failed(error);
    await settle();
    throw error;
  }
  if (observer === undefined) return result;
  const relayed = relayGenerator(result, observer, settle);
  if (relayed !== undefined) return relayed;
  observer.returned(result);
  await settle();
  return result;
}

function unlessTakenOver(shared: SharedCall, observer: CallObserver | undefined): CallObserver | undefined {
  if (observer === undefined) return undefined;
  const tell = (how: () => void) => {
    if (!shared.takenOver) how();
  };
  return {
    returned: (result) => tell(() => observer.returned(result)),
    failed: (error) => tell(() => observer.failed(error)),
    unobservable: () => tell(() => observer.unobservable()),
  };
}

function callIdOf(_input: unknown, _runManager: unknown, config: unknown): string | undefined {
  const { toolCallId, toolCall } = (config ?? {}) as { toolCallId?: unknown; toolCall?: { id?: unknown } };
  const id = toolCallId ?? toolCall?.id;
  return typeof id === "string" ? id : undefined;
}

// LangGraph interrupts a tool, and hands over to another agent, by throwing: neither is a failure.
function classOfFailure(
  declared: LangChainToolDefinition["errorClass"],
): NonNullable<LangChainToolDefinition["errorClass"]> {
  if (declared !== undefined && typeof declared !== "function") return declared;
  return (error, result) => (isControlFlow(error) ? null : declared?.(error, result));
}

function reportLate(tool: string): void {
  report(
    "langchain late span",
    tool,
    () =>
      `a call of the tool "${tool}" was over before its span began, so it was not labelled: LangChain's background callbacks are behind; set LANGCHAIN_CALLBACKS_BACKGROUND=false`,
  );
}
