/**
 * A tool of Strands whose calls carry a claim: what the model is shown, when a person is asked, and what runs.
 *
 * The tool itself could interrupt too. It would have a span by then, of a call that has not run, so a hook asks before it.
 *
 * @module
 */
import { digestOf, type MediatedCall, type MediatedTools, REASONS } from "../../claims/index.ts";
import type { Contract, ContractRegistry, ContractToolOptions } from "../../contracts/index.ts";
import type { StrandsGuardedTool } from "./guarded-tool.ts";
import { callIdOf, type ToolContext } from "./tool-context.ts";

type ArgumentsIn<Entry> = Entry extends Contract<infer Arguments> ? Arguments : never;

/** Strands' `BeforeToolCallEvent`, as far as it is used here. */
export interface StrandsCallEvent {
  /** The model's call: the tool's name, the call's id, and the arguments with the claim in them. */
  readonly toolUse: { readonly name: string; readonly toolUseId: string; readonly input: unknown };
  /** Strands' object of this invocation, by which an answer that comes back with a later call is known for used. */
  readonly invocationState?: object | undefined;
  /** Set to the refusal's text when the person has not agreed: Strands then does not call the tool. */
  cancel: boolean | string;
  /** Asks the person and stops the run; when it goes on, gives the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: Strands' own type of the question and the answer
  interrupt(question: any): any;
}

/** Options of {@link requireReview}. */
export interface StrandsReviewOptions {
  /** Whether an answer agrees. Default: `true`, and "y" or "yes" as Strands reads them. What throws does not. */
  readonly isApproval?: ((answer: unknown) => boolean) | undefined;
}

/**
 * The options of Strands' `tool()` for a tool behind the mediation step. Give the agent {@link requireReview}, so that a person
 * is asked about the calls that need it; without it they are refused.
 *
 * @throws RangeError on a name that is not in the registry
 * @example
 * ```ts
 * import type { MediatedTools } from "agent-reliability-otel-labels/claims";
 * import type { Contract } from "agent-reliability-otel-labels/contracts";
 * import { mediatedTool, requireReview } from "agent-reliability-otel-labels/strands";
 *
 * declare const mediated: MediatedTools<{ close_ticket: Contract<{ id: string }> }>; // made by `mediate()`
 * declare function tool(options: object): object; // of Strands
 *
 * export const closeTicket = tool(mediatedTool(mediated, "close_ticket", async ({ id }) => `closed ${id}`));
 * export const review = requireReview(mediated);
 * // agent.addHook(BeforeToolCallEvent, review)
 * ```
 */
export function mediatedTool<Registry extends ContractRegistry, Name extends keyof Registry & string, Result>(
  mediated: MediatedTools<Registry>,
  name: Name,
  execute: (args: ArgumentsIn<Registry[Name]>, context: ToolContext) => Result,
  options: ContractToolOptions<ArgumentsIn<Registry[Name]>, [ToolContext], Result> = {},
): StrandsGuardedTool<Result> {
  const run = mediated.tool(name, execute, { callId: callIdOf, ...options });
  const { description, jsonSchema } = mediated.shown[name];
  return {
    name,
    description,
    inputSchema: jsonSchema(),
    callback: run as unknown as StrandsGuardedTool<Result>["callback"],
  };
}

/**
 * The hook for Strands' `BeforeToolCallEvent` that asks a person about what needs a review, with an interrupt whose `reason` is
 * `{ tool, arguments }`. Denied calls are not asked about: the tool denies them.
 *
 * Each agent that has mediated tools needs it, delegated ones too. An answer counts for the one call that was asked about, and
 * once: when a hook has Strands call the tool again, that is refused.
 */
export function requireReview(
  mediated: MediatedTools<ContractRegistry>,
  { isApproval = isYes }: StrandsReviewOptions = {},
): (event: StrandsCallEvent) => Promise<void> {
  /** Answers that have been used, by the invocation of the agent that brought them. */
  const used = new WeakMap<object, Set<string>>();
  return async (event) => {
    const { name: tool, toolUseId: callId, input } = event.toolUse;
    if (!Object.hasOwn(mediated.shown, tool)) return;
    const call = { tool, callId, arguments: input };
    const { outcome } = await mediated.step.consider(call);
    if (outcome !== "review") return;
    const name = questionName(call);
    // It cannot be approved; the tool refuses it.
    if (name === undefined) return;
    const answer: unknown = event.interrupt({ name, reason: { tool, arguments: input } });
    const invocation = event.invocationState ?? mediated;
    const answers = used.get(invocation) ?? new Set();
    used.set(invocation, answers);
    // What the person has not agreed to, the tool would refuse too, as a call that still needs a review.
    if (!agrees(isApproval, answer)) event.cancel = `Not run: ${REASONS.denied}.`;
    else if (!answers.has(name)) await mediated.step.approve(call);
    answers.add(name);
  };
}

// Strands keeps answers by the call's id and this name, and models repeat ids.
function questionName(call: MediatedCall): string | undefined {
  try {
    return `review ${digestOf({ ...call })}`;
  } catch {
    return undefined;
  }
}

function agrees(isApproval: (answer: unknown) => boolean, answer: unknown): boolean {
  try {
    return isApproval(answer) === true;
  } catch {
    return false;
  }
}

function isYes(answer: unknown): boolean {
  return answer === true || (typeof answer === "string" && /^y(es)?$/i.test(answer.trim()));
}
