/**
 * A tool of ADK whose calls carry a claim: what the model is shown, when a person is asked, and what runs.
 *
 * A plugin was rejected: the runner that ADK makes for an agent that is a tool has none.
 *
 * @module
 */
import type { MediatedTools } from "../../claims/index.ts";
import type { Contract, ContractRegistry, ContractToolOptions } from "../../contracts/index.ts";
import { type CallContext, callIdOf, isAnswered } from "./call-context.ts";
import { type AdkGuardedTool, shownOf } from "./guarded-tool.ts";

type ArgumentsIn<Entry> = Entry extends Contract<infer Arguments> ? Arguments : never;

/** The options of ADK's `FunctionTool`. */
export interface AdkMediatedTool<Result> extends AdkGuardedTool<Result> {
  /**
   * Asked by ADK before the call, and again with the answer: `true` when a person has to agree. It keeps the approval, so
   * pass it on unwrapped.
   */
  // biome-ignore lint/suspicious/noExplicitAny: ADK's own type of what a tool is called with
  readonly requireConfirmation: (input: any, context?: any) => Promise<boolean>;
}

/**
 * The options of ADK's `FunctionTool` for a tool behind the mediation step. A call that needs a review asks a person through
 * `requireConfirmation`; once confirmed it is decided on again, and denied when the facts have changed. Denied calls are not
 * asked about.
 *
 * ADK takes the confirmation from the newest message of the user: whoever may write that is the person.
 *
 * @throws RangeError on a name that is not in the registry
 * @example
 * ```ts
 * import type { MediatedTools } from "agent-reliability-otel-labels/claims";
 * import type { Contract } from "agent-reliability-otel-labels/contracts";
 * import { mediatedTool } from "agent-reliability-otel-labels/google-adk";
 *
 * declare const mediated: MediatedTools<{ close_ticket: Contract<{ id: string }> }>; // made by `mediate()`
 * declare const FunctionTool: new (options: object) => object; // of ADK
 *
 * export const closeTicket = new FunctionTool(
 *   mediatedTool(mediated, "close_ticket", async ({ id }) => ({ closed: id })),
 * );
 * ```
 */
export function mediatedTool<Registry extends ContractRegistry, Name extends keyof Registry & string, Result>(
  mediated: MediatedTools<Registry>,
  name: Name,
  execute: (args: ArgumentsIn<Registry[Name]>, context: CallContext) => Result,
  options: ContractToolOptions<ArgumentsIn<Registry[Name]>, [CallContext], Result> = {},
): AdkMediatedTool<Result> {
  const run = mediated.tool(name, execute, { callId: callIdOf, ...options });
  const shown = mediated.shown[name];
  const settled = new SettledCalls();
  return {
    name,
    description: shown.description,
    parameters: shownOf(shown),
    execute: run as unknown as AdkMediatedTool<Result>["execute"],
    requireConfirmation: async (input: unknown, context: CallContext = {}) => {
      const call = { tool: name, callId: callIdOf(input, context), arguments: input };
      const { outcome } = await mediated.step.consider(call);
      const answer = context.toolConfirmation;
      if (answer !== undefined) {
        settled.add(call.callId, context);
        if (answer.confirmed !== true) await mediated.step.withdraw(call);
        // Asked about is asked about: `false` would run what a person has refused, if the facts allow it by now.
        return true;
      }
      // Before an answer counts, ADK asks again whether the call needed one. This is the moment to keep the approval: callbacks
      // may change the arguments after it, and the person has not seen those.
      const answered = isAnswered(context) && !settled.has(call.callId, context);
      if (answered && outcome === "review") await mediated.step.approve(call);
      return answered || outcome === "review";
    },
  };
}

/** The calls that went on with their answer, by the message that brought it: models repeat ids, and an answer counts once. */
class SettledCalls {
  readonly #byMessage = new WeakMap<object, Set<string | undefined>>();

  add(callId: string | undefined, { userContent }: CallContext): void {
    if (userContent === undefined) return;
    const calls = this.#byMessage.get(userContent) ?? new Set();
    this.#byMessage.set(userContent, calls.add(callId));
  }

  has(callId: string | undefined, { userContent }: CallContext): boolean {
    return userContent !== undefined && this.#byMessage.get(userContent)?.has(callId) === true;
  }
}
