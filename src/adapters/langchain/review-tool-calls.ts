/**
 * Reviews in LangChain: a call that needs one is shown to a person through LangGraph's `interrupt()`, before the tool.
 *
 * Nothing is enforced here. What the tool's function decides holds, whether this stands in the agent's middleware or not.
 *
 * @module
 */
import type { MediatedCall, MediatedTools, Mediation } from "../../claims/index.ts";
import { REASONS } from "../../claims/reasons.ts";
import type { ContractRegistry } from "../../contracts/index.ts";
import { TrustablError } from "../../errors.ts";
import { report } from "../../labels/diagnostics.ts";
import { isControlFlow } from "./control-flow.ts";

/** What `wrapToolCall` gets, as far as it is used here. */
export interface LangChainToolCall {
  /**
   * The model's call: the tool's `name`, its `args` with the claim in them, and its `id`. A call without an id cannot be
   * approved.
   */
  readonly toolCall: {
    readonly name: string;
    readonly id?: string | undefined;
    readonly args: unknown;
  };
}

/** What a person is shown: the form of LangChain's `humanInTheLoopMiddleware`, so that one user interface serves both. */
export interface ReviewRequest {
  /** The one call that is asked about: the tool's name, the arguments without the claim, and the contract's description. */
  readonly actionRequests: readonly [
    { readonly name: string; readonly args: unknown; readonly description: string },
  ];
  /** How it may be answered. Arguments cannot be edited: the approval is of the call as the model made it. */
  readonly reviewConfigs: readonly [
    { readonly actionName: string; readonly allowedDecisions: readonly ["approve", "reject"] },
  ];
}

/** What `new Command({ resume })` answers. Anything but one `approve` refuses the call. */
export interface ReviewAnswer {
  /** One decision, for the one call of the request. */
  readonly decisions: readonly [{ readonly type: "approve" | "reject" }];
}

/** What is taken from LangChain, which is not imported here. */
export interface ReviewSdk<Message> {
  /** Of `@langchain/langgraph`. */
  readonly interrupt: (value: ReviewRequest) => unknown;
  /** Of `langchain`. */
  readonly ToolMessage: new (fields: {
    content: string;
    tool_call_id: string;
    name: string;
    status: "error";
  }) => Message;
}

/**
 * The `wrapToolCall` of a middleware that asks a person about the calls that need a review, and tells the model why a call
 * was refused. The agent needs a checkpointer, and answers with a {@link ReviewAnswer}. When the run goes on, everything is
 * decided again: an approval of a call whose facts have changed is none. A refusal holds, also when no review would be
 * needed any more.
 *
 * Tools that are not in the registry pass through. Put it behind middleware that changes calls, and before middleware that
 * repeats them.
 *
 * @example
 * ```ts
 * import type { ContractRegistry } from "agent-reliability-otel-labels/contracts";
 * import type { MediatedTools } from "agent-reliability-otel-labels/claims";
 * import { type ReviewSdk, reviewToolCalls } from "agent-reliability-otel-labels/langchain";
 *
 * declare const mediated: MediatedTools<ContractRegistry>;
 * declare const sdk: ReviewSdk<object>; // { interrupt, ToolMessage }
 *
 * const wrapToolCall = reviewToolCalls(mediated, sdk);
 * // createAgent({ …, middleware: [createMiddleware({ name: "claims", wrapToolCall })], checkpointer })
 * ```
 */
export function reviewToolCalls<Registry extends ContractRegistry, Message>(
  mediated: MediatedTools<Registry>,
  { interrupt, ToolMessage }: ReviewSdk<Message>,
) {
  const { step, shown } = mediated;
  const refused = (call: MediatedCall, message: string) =>
    new ToolMessage({
      content: message,
      tool_call_id: call.callId ?? "",
      name: call.tool,
      status: "error",
    });

  return async <Request extends LangChainToolCall, Answer>(
    request: Request,
    handler: (request: Request) => Answer | Promise<Answer>,
  ): Promise<Answer | Message> => {
    const { name, id, args } = request.toolCall;
    if (!Object.hasOwn(shown, name)) return handler(request);
    const call: MediatedCall = { tool: name, callId: id, arguments: args };
    const description = shown[name]?.description ?? "";
    let goesOn = false;
    try {
      const refusal = await review(step, call, (own) => interrupt(requestOf(name, own, description)));
      return refusal === undefined ? await handler(request) : refused(call, refusal);
    } catch (error) {
      goesOn = isControlFlow(error);
      // Behind a `wrapToolCall` LangChain ends the run with what a tool throws; the model could not act on a refusal.
      if (isRefusal(error)) return refused(call, error.message);
      throw error;
    } finally {
      // An approval that was not used, because something behind this stopped the call, is not kept for another time.
      await forget(step, goesOn ? [call] : [call, questionOf(call)]);
    }
  };
}

/**
 * Asks a person where a review is needed. Gives the message of a refusal, or nothing: the tool decides.
 *
 * LangGraph runs this again from the top when the run goes on, perhaps in another process. That somebody was asked is kept
 * with the approvals: their answer has to be taken whatever is decided now, since a refusal holds, and since LangGraph gives
 * out answers by their order, so that the tool's own `interrupt()` would get this one.
 */
async function review(
  step: Mediation,
  call: MediatedCall,
  ask: (args: unknown) => unknown,
): Promise<string | undefined> {
  try {
    const question = questionOf(call);
    const wasAsked = await step.isApproved(question);
    const { outcome, arguments: args } = await step.consider(call);
    if (outcome !== "review" && !wasAsked) return undefined;
    // A call that cannot be approved is for the tool to refuse.
    if (!(await step.approve(question))) return undefined;
    if (!isApproval(ask(args))) return REFUSED;
    if (outcome === "review") await step.approve(call);
    return undefined;
  } catch (error) {
    if (isControlFlow(error)) throw error;
    report(
      "langchain review",
      call.tool,
      () =>
        `a call of the tool "${call.tool}" was refused, because asking for its review failed: interrupt() needs a checkpointer, and the store of approvals has to answer`,
    );
    return `Not run: ${REASONS.review}.`;
  }
}

const REFUSED = "Not run: a person has refused the call.";

/** Under a name that no tool has: that somebody was asked is no approval. */
const questionOf = (call: MediatedCall): MediatedCall => ({ ...call, tool: `review of ${call.tool}` });

async function forget(step: Mediation, calls: readonly MediatedCall[]): Promise<void> {
  try {
    for (const call of calls) await step.withdraw(call);
  } catch {
    // The call is over, and its result is the model's: a store that does not answer now must not turn it into an error.
    report(
      "langchain withdraw",
      calls[0]?.tool ?? "",
      () =>
        `an approval of a call of the tool "${calls[0]?.tool}" may not have been withdrawn: the store threw`,
    );
  }
}

function requestOf(name: string, args: unknown, description: string): ReviewRequest {
  return {
    actionRequests: [{ name, args, description }],
    reviewConfigs: [{ actionName: name, allowedDecisions: ["approve", "reject"] }],
  };
}

function isApproval(answer: unknown): boolean {
  const decisions = (answer as Partial<ReviewAnswer> | null | undefined)?.decisions;
  return Array.isArray(decisions) && decisions.length === 1 && decisions[0]?.type === "approve";
}

const REFUSALS = ["claim_denied", "review_required", "arguments_refused", "not_confirmed"];

/** By brand and code: the tool may have been made by another installed copy of this package. */
function isRefusal(error: unknown): error is TrustablError {
  return TrustablError.isInstance(error) && REFUSALS.includes(error.code);
}
