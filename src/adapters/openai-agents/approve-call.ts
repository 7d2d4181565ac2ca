/**
 * A person's consent to one call that the SDK has interrupted.
 *
 * @module
 */
import type { MediatedTools } from "../../claims/index.ts";
import type { ContractRegistry } from "../../contracts/index.ts";

/** An entry of the SDK's `result.interruptions`, as far as it is read here. */
export interface InterruptedCall {
  /** The model's call. What is no `function_call` of a mediated tool is approved in the SDK's state only. */
  readonly rawItem: unknown;
}

interface FunctionCall {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly callId?: unknown;
  readonly arguments?: unknown;
}

/**
 * Approves an interrupted call, in the SDK's state and for the mediation step: this call, with these arguments, once. Calls of
 * other tools are approved in the SDK's state only, so that one loop serves all. Call it where the run goes on: the approval is
 * then kept in the process that needs it.
 *
 * @returns `false` for a call that cannot be approved, with nothing approved: without an id, or with arguments that are no JSON
 * @example
 * ```ts
 * import type { MediatedTools } from "agent-reliability-otel-labels/claims";
 * import type { ContractRegistry } from "agent-reliability-otel-labels/contracts";
 * import { approveCall } from "agent-reliability-otel-labels/openai-agents";
 *
 * interface Interruption {
 *   readonly rawItem: unknown;
 * }
 * // Of the SDK: what `run()` gives.
 * declare const result: {
 *   interruptions: Interruption[];
 *   state: { approve(item: Interruption): void; reject(item: Interruption): void };
 * };
 * declare const mediated: MediatedTools<ContractRegistry>;
 * declare function askPerson(item: Interruption): Promise<boolean>;
 *
 * for (const item of result.interruptions) {
 *   if (await askPerson(item)) await approveCall(mediated, result.state, item);
 *   else result.state.reject(item);
 * }
 * // run(agent, result.state)
 * ```
 */
export async function approveCall<Item extends InterruptedCall>(
  { shown, step }: MediatedTools<ContractRegistry>,
  state: { approve(item: Item): void },
  item: Item,
): Promise<boolean> {
  const { type, name, callId, arguments: args } = (item.rawItem ?? {}) as FunctionCall;
  const isMediated = type === "function_call" && typeof name === "string" && Object.hasOwn(shown, name);
  if (isMediated) {
    const id = typeof callId === "string" ? callId : undefined;
    if (!(await step.approve({ tool: name, callId: id, arguments: args }))) return false;
  }
  state.approve(item);
  return true;
}
