/**
 * The OpenAI Agents SDK (0.3.8 and newer) with OpenInference or another bridge to OpenTelemetry: the tool's span is never the
 * active one there, so a tracker of its own finds it; tools are labelled by wrapping them or from the runner's hooks.
 *
 * Nothing of the SDK is imported, not even a type.
 *
 * @module
 */
import { context } from "@opentelemetry/api";
import { report } from "../labels/diagnostics.ts";
import type { CallObserver } from "../tool/observe-result.ts";
import { contextWithSharedCall, newSharedCall, type SharedCall } from "../tool/shared-call.ts";
import { beginToolCall } from "../tool/tool-call.ts";
import { type PreparedTool, prepareTool, type ToolDefinition } from "../tool/tool-definition.ts";
import { toolSpanSources } from "../tool/tool-span-source.ts";
import { wrapTool } from "../tool/wrap-tool.ts";
import { currentCallOf } from "./openai-agents/sdk-span.ts";
import { AgentsSpanTracker } from "./openai-agents/span-tracker.ts";

export { AgentsSpanTracker } from "./openai-agents/span-tracker.ts";

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
    callIdOf((parameters[2] as ToolEventDetails | undefined)?.toolCall);
  return wrapTool(
    { ...definition, callId: definition?.callId ?? callId } as ToolDefinition<typeof execute>,
    execute,
  );
}

/** What is declared about a tool that is labelled from hooks. Results are the texts that the model gets. */
export type HookedTool = Omit<ToolDefinition<(args: unknown) => string>, "name" | "args" | "callId" | "span">;

/** A `Runner` or an `Agent`, as far as its hooks go. */
export interface AgentHooks {
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's listener types differ between runners and agents
  on(event: any, listener: (...parameters: any[]) => void): unknown;
}

interface ToolCallItem {
  readonly type?: unknown;
  readonly callId?: unknown;
  readonly arguments?: unknown;
}
interface ToolEventDetails {
  readonly toolCall?: ToolCallItem;
}
interface HookedCall extends SharedCall {
  readonly observer: CallObserver | undefined;
}

/**
 * Labels calls from the hooks of a runner or an agent, without wrapping: also calls of MCP tools, of agents as tools, and
 * calls that a guardrail rejected. A call that several of these see is labelled once: what the wrapper declares counts, then
 * what was declared for the agent, then for the runner.
 *
 * The runner of an agent that is used as a tool is the SDK's own: give that agent's hooks as well.
 *
 * @param hooks a `Runner` or an `Agent`
 * @param tools what is declared about tools, by name; only these are labelled
 * @returns `hooks`
 * @throws TypeError or RangeError on a wrong definition
 * @example
 * ```ts
 * import { labelRunner } from "agent-reliability-otel-labels/openai-agents";
 *
 * declare class Runner { // from "@openai/agents"
 *   on(event: string, listener: (...parameters: unknown[]) => void): unknown;
 * }
 *
 * const runner = labelRunner(new Runner(), { search_flights: { sideEffect: "read" } });
 * ```
 */
export function labelRunner<Hooks extends AgentHooks>(
  hooks: Hooks,
  tools: Readonly<Record<string, HookedTool>>,
): Hooks {
  const prepared = new Map(
    Object.entries(tools).map(([name, tool]) => [
      name,
      prepareTool({ ...tool, name, args: argumentsOf } as ToolDefinition<never>),
    ]),
  );
  // A runner tells (context, agent, tool, details), an agent tells (context, tool, details); with the result before the
  // details at the end.
  hooks.on("agent_tool_start", (...told: unknown[]) =>
    safely(() => begin(prepared, told.at(-2), told.at(-1) as ToolEventDetails)),
  );
  hooks.on("agent_tool_end", (...told: unknown[]) => safely(() => end(told.at(-3), told.at(-2))));
  return hooks;
}

function begin(prepared: ReadonlyMap<string, PreparedTool>, tool: unknown, details: ToolEventDetails): void {
  const name = nameOf(tool);
  const definition = prepared.get(name);
  const call = currentCallOf(name);
  const item = details?.toolCall;
  if (definition === undefined || call === undefined || item?.type !== "function_call") return;
  const trackers = agentsTrackers();
  if (trackers.length === 0) reportNoTracker();
  const shared = newSharedCall();
  const observer = context.with(contextWithSharedCall(context.active(), shared), () =>
    beginToolCall(definition, [item.arguments, { toolCallId: callIdOf(item) }]),
  );
  const hooked: HookedCall = Object.assign(shared, { observer });
  for (const tracker of trackers) tracker.rememberCall(call.spanId, hooked);
}

function end(tool: unknown, result: unknown): void {
  const name = nameOf(tool);
  const call = currentCallOf(name);
  if (call === undefined) return;
  const trackers = agentsTrackers();
  const [hooked] = trackers.map((tracker) => tracker.sharedCall(name) as HookedCall | undefined);
  for (const tracker of trackers) tracker.forgetCall(call.spanId);
  if (hooked === undefined || hooked.takenOver) return;
  if (call.error === undefined || call.error === null) hooked.observer?.returned(result);
  else hooked.observer?.failed(call.error);
}

// The model's arguments are text. What is no JSON has no fingerprint: the SDK also writes "" in the place of arguments that
// it hides, and these are not all the same call.
function argumentsOf(text: unknown): unknown {
  return JSON.parse(text as string);
}

function callIdOf(call: ToolCallItem | undefined): string | undefined {
  return typeof call?.callId === "string" ? call.callId : undefined;
}

function nameOf(tool: unknown): string {
  const name = (tool as { name?: unknown } | null | undefined)?.name;
  return typeof name === "string" ? name : "";
}

function agentsTrackers(): AgentsSpanTracker[] {
  return toolSpanSources().filter((source) => source instanceof AgentsSpanTracker);
}

// A hook that throws comes out of the agent's run.
function safely(hook: () => void): void {
  try {
    hook();
  } catch {
    report("agents hook", "", () => "a hook of a tool call failed; its labels may be missing");
  }
}

function reportNoTracker(): void {
  report(
    "agents tracker",
    "",
    () => "labelRunner() finds no tool spans without an AgentsSpanTracker; add one to the tracer provider",
  );
}
