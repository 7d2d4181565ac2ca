/**
 * Labels from the hooks of a runner or an agent.
 *
 * @module
 */
import { context } from "@opentelemetry/api";
import { report } from "../../labels/diagnostics.ts";
import type { CallObserver } from "../../tool/observe-result.ts";
import { contextWithSharedCall, newSharedCall, type SharedCall } from "../../tool/shared-call.ts";
import { beginToolCall } from "../../tool/tool-call.ts";
import { type PreparedTool, prepareTool, type ToolDefinition } from "../../tool/tool-definition.ts";
import { argumentsOf, callIdOf, nameOf, type ToolCallDetails, tellEnd } from "./sdk-call.ts";
import { currentCallOf } from "./sdk-span.ts";
import { agentsTrackers } from "./span-tracker.ts";

/** What is declared about a tool that is labelled from hooks. Results are the texts that the model gets. */
export type HookedTool = Omit<ToolDefinition<(args: unknown) => string>, "name" | "args" | "callId" | "span">;

/** A `Runner` or an `Agent`, as far as its hooks go. */
export interface AgentHooks {
  /** Called for the events `agent_tool_start` and `agent_tool_end`. */
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's listener types differ between runners and agents
  on(event: any, listener: (...parameters: any[]) => void): unknown;
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
    safely(() => begin(prepared, told.at(-2), told.at(-1) as ToolCallDetails)),
  );
  hooks.on("agent_tool_end", (...told: unknown[]) => safely(() => end(told.at(-3), told.at(-2))));
  return hooks;
}

function begin(prepared: ReadonlyMap<string, PreparedTool>, tool: unknown, details: ToolCallDetails): void {
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
  if (hooked.observer !== undefined) tellEnd(hooked.observer, call, result);
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
