/**
 * A tool of Mastra whose calls carry a claim: what the model is shown, when a person is asked, and what runs.
 *
 * Mastra asks for approvals by the tool's name and arguments, without the call's id, and tells a tool nothing about the answer.
 * So the approval is kept where the application gives it. A `requireApproval` function on the tool itself was rejected: Mastra
 * takes its word over the agent's `requireToolApproval`, which would loosen what the application asks for there.
 *
 * @module
 */
import type { MediatedCall, MediatedTools, ShownTool } from "../../claims/index.ts";
import type { Contract, ContractRegistry, ContractToolOptions } from "../../contracts/index.ts";
import { callIdOf, spanOfCall, type ToolContext } from "./tool-span.ts";

type ArgumentsIn<Entry> = Entry extends Contract<infer Arguments> ? Arguments : never;

/** The options of Mastra's `createTool()`. */
export interface MastraMediatedTool<Result> {
  /** The contract's name. */
  readonly id: string;
  /** The contract's description, for the model. */
  readonly description: string;
  /** The contract's arguments and `claim`. Lets every call through to the tool, which has better words for a refusal. */
  readonly inputSchema: ShownTool;
  /**
   * Decides, validates, labels and runs. A refused call rejects with a `MediationError` or a `ContractViolationError`, unless
   * `onRefusal` answers it.
   */
  // biome-ignore lint/suspicious/noExplicitAny: Mastra's own type of what a tool is called with
  readonly execute: (input: any, context?: any) => Promise<Awaited<Result>>;
}

/** What Mastra's `requireToolApproval` is asked with, as far as it is used here. */
export interface MastraApprovalContext {
  /** The name that the model called; one that is not in the registry is left to `existing`. */
  readonly toolName: string;
  /** The model's arguments, with the claim in them. */
  readonly args: unknown;
}

/** A run that waits for an approval, as `generate` or `getFullOutput()` gives it. */
export interface MastraWaitingRun {
  /** Mastra's id of the run, by which it goes on. Without it there is nothing to approve. */
  readonly runId?: string | undefined;
  /** What Mastra says about the call that waits. `approveCall` throws where it is anything else. */
  readonly suspendPayload?: unknown;
}

/** What Mastra's `approveToolCall` and its like take. */
export interface MastraApproval {
  /** Mastra's id of the run that goes on. */
  readonly runId: string;
  /** The id of the call that was approved; of a delegated agent's call, that of the delegation. */
  readonly toolCallId: string;
}

/**
 * The options of `createTool()` for a tool behind the mediation step. Give the agent {@link requireReview}, so that a person
 * is asked about the calls that need it; without it they are refused.
 *
 * @throws RangeError on a name that is not in the registry
 * @example
 * ```ts
 * import type { MediatedTools } from "agent-reliability-otel-labels/claims";
 * import type { Contract } from "agent-reliability-otel-labels/contracts";
 * import { mediatedTool, requireReview } from "agent-reliability-otel-labels/mastra";
 *
 * declare const mediated: MediatedTools<{ close_ticket: Contract<{ id: string }> }>; // made by `mediate()`
 * declare function createTool(options: object): object; // of Mastra
 *
 * const closeTicket = createTool(mediatedTool(mediated, "close_ticket", async ({ id }) => `closed ${id}`));
 * export const options = {
 *   tools: { close_ticket: closeTicket },
 *   defaultOptions: { requireToolApproval: requireReview(mediated) },
 * };
 * // new Agent({ id: "desk", name: "Desk", instructions, model, ...options })
 * ```
 */
export function mediatedTool<Registry extends ContractRegistry, Name extends keyof Registry & string, Result>(
  mediated: MediatedTools<Registry>,
  name: Name,
  execute: (args: ArgumentsIn<Registry[Name]>, context: ToolContext) => Result,
  options: ContractToolOptions<ArgumentsIn<Registry[Name]>, [ToolContext], Result> = {},
): MastraMediatedTool<Result> {
  const run = mediated.tool(name, execute, { callId: callIdOf, span: spanOfCall, ...options });
  const shown = mediated.shown[name] as ShownTool;
  return {
    id: name,
    description: shown.description,
    inputSchema: shown,
    execute: run as unknown as MastraMediatedTool<Result>["execute"],
  };
}

/**
 * The function for `requireToolApproval`, of an agent's `defaultOptions` or of a call: asks a person about what needs a review.
 * Denied calls are not asked about: the tool denies them.
 *
 * Each agent that has mediated tools needs it, delegated ones too. Options of a call replace the defaults.
 *
 * @param existing what the application asks a person about besides, as `requireToolApproval` takes it. Default `false`
 */
export function requireReview(
  mediated: MediatedTools<ContractRegistry>,
  // biome-ignore lint/suspicious/noExplicitAny: Mastra's own type of what the function is told
  existing: boolean | ((context: any) => boolean | Promise<boolean>) = false,
): (context: MastraApprovalContext) => Promise<boolean> {
  return async (context) => {
    const asked = typeof existing === "function" ? await existing(context) : existing;
    if (asked !== false) return true;
    if (!Object.hasOwn(mediated.shown, context.toolName)) return false;
    const { outcome } = await mediated.step.consider({ tool: context.toolName, arguments: context.args });
    return outcome === "review";
  };
}

/**
 * Keeps that a person has agreed to the call that a run waits with, a delegated agent's too. Call it when they have, and give
 * Mastra what comes back: `agent.approveToolCallGenerate(await approveCall(mediated, result))`. The tool decides again.
 *
 * Another way to Mastra's approval does not count: the call is refused, and `declineToolCall` needs nothing of this.
 *
 * @throws TypeError when the run waits for no approval
 */
export async function approveCall(
  mediated: MediatedTools<ContractRegistry>,
  { runId, suspendPayload }: MastraWaitingRun,
): Promise<MastraApproval> {
  const waiting = suspendPayload as Waiting | null | undefined;
  const call = callIn(waiting);
  if (typeof runId !== "string" || typeof waiting?.toolCallId !== "string" || call === undefined) {
    throw new TypeError("approveCall expected the result of a run of Mastra that waits for an approval");
  }
  // An approval that nothing uses up would be there for a later call with the same id.
  const { outcome } = await mediated.step.consider(call);
  if (outcome === "review") await mediated.step.approve(call);
  return { runId, toolCallId: waiting.toolCallId };
}

interface Waiting {
  readonly toolCallId?: unknown;
  readonly toolName?: unknown;
  readonly args?: unknown;
  readonly suspendPayload?: Waiting;
}

/** How deep agents may delegate to agents, as far as an approval is looked for. */
const DEEPEST_DELEGATION = 16;

// A delegated agent's call is in the call of the agent, which is what has to be resumed.
function callIn(waiting: Waiting | null | undefined): MediatedCall | undefined {
  let innermost = waiting;
  for (let depth = 0; depth < DEEPEST_DELEGATION && isDelegation(innermost); depth += 1) {
    innermost = innermost?.suspendPayload;
  }
  const { toolCallId, toolName, args } = innermost ?? {};
  if (typeof toolCallId !== "string" || typeof toolName !== "string") return undefined;
  return { tool: toolName, callId: toolCallId, arguments: args };
}

function isDelegation(waiting: Waiting | null | undefined): boolean {
  return (
    typeof waiting?.toolName === "string" &&
    waiting.toolName.startsWith("agent-") &&
    typeof waiting.suspendPayload === "object"
  );
}
