/**
 * How an MCP server asks about a call that needs a review: through its client, which answers.
 *
 * The answer is the client's. Whether a person gave it, nobody can tell here.
 *
 * @module
 */
import type { MediatedCall, Mediation } from "../../claims/index.ts";

/** The form that a client is asked to show, of one yes or no. */
export interface McpReviewForm {
  /**
   * What is asked about: the contract's description, and on the next line the tool's name and its arguments as JSON, without
   * the claim.
   */
  message: string;
  /** One required yes or no, `approve`; its default is no. */
  requestedSchema: {
    type: "object";
    properties: { approve: { type: "boolean"; title: string; default: boolean } };
    required: ["approve"];
  };
}

/** What the SDKs can ask with, as far as it is used here. Neither: a call that needs a review is refused. */
export interface McpReviewOptions<Extra> {
  /** SDK 1: `(form, extra) => server.server.elicitInput(form, { relatedRequestId: extra.requestId })`. */
  readonly elicit?: ((form: McpReviewForm, extra: Extra) => Promise<unknown>) | undefined;
  /** SDK 2: its `inputRequired`. */
  readonly inputRequired?:
    | {
        (spec: never): unknown;
        elicit(form: McpReviewForm): unknown;
      }
    | undefined;
  /**
   * SDK 2: seals the state that goes to the client and back, where the server's `requestState.verify` opens it:
   * `(state, extra) => codec.mint(state, extra)`. The state is the id of a question that is kept with the approvals; it grants
   * nothing, whether it is sealed or not.
   */
  readonly sealState?: ((state: string, extra: Extra) => string | Promise<string>) | undefined;
}

/** What came of asking. `pending` goes to the client, and the handler is called again. */
export type McpReview =
  | { readonly kind: "answered"; readonly approved: boolean }
  | { readonly kind: "pending"; readonly result: unknown }
  | { readonly kind: "nobody" };

/** The part of SDK 2's context that brings an answer. */
interface AnsweringContext {
  readonly mcpReq?: {
    readonly inputResponses?: Readonly<Record<string, unknown>> | undefined;
    readonly requestState?: (() => unknown) | undefined;
  };
}

const QUESTION = "review";

/** An answer to a question that was asked about this very call; it is used up. `undefined` where there is none. */
export async function answerIn(
  step: Mediation,
  call: Omit<MediatedCall, "callId">,
  extra: unknown,
): Promise<{ readonly callId: string; readonly approved: boolean } | undefined> {
  const { mcpReq } = (extra ?? {}) as AnsweringContext;
  const state: unknown = typeof mcpReq?.requestState === "function" ? mcpReq.requestState() : undefined;
  if (typeof state !== "string") return undefined;
  // The client chose what it sends back: only an id whose question about these arguments is open counts, and once.
  if (!(await step.withdraw(questionOf({ ...call, callId: state })))) return undefined;
  const responses = mcpReq?.inputResponses ?? {};
  const response = Object.hasOwn(responses, QUESTION) ? responses[QUESTION] : undefined;
  return { callId: state, approved: isAccepted(response) };
}

/** Asks about a call. Throws what asking throws. */
export async function ask<Extra>(
  step: Mediation,
  call: MediatedCall & { readonly callId: string },
  form: McpReviewForm,
  { elicit, inputRequired, sealState }: McpReviewOptions<Extra>,
  extra: Extra,
): Promise<McpReview> {
  if (elicit !== undefined) return { kind: "answered", approved: isAccepted(await elicit(form, extra)) };
  if (inputRequired === undefined) return { kind: "nobody" };
  // A call that cannot be approved is for the tool to refuse.
  if (!(await step.approve(questionOf(call)))) return { kind: "nobody" };
  const requestState = sealState === undefined ? call.callId : await sealState(call.callId, extra);
  const inputRequests = { [QUESTION]: inputRequired.elicit(form) };
  return { kind: "pending", result: inputRequired({ inputRequests, requestState } as never) };
}

/** What is shown of a call: the arguments that the tool would get. */
export function formOf(name: string, description: string, args: unknown): McpReviewForm {
  return {
    message: `${description}\n${name} ${JSON.stringify(args)}`,
    requestedSchema: {
      type: "object",
      properties: { approve: { type: "boolean", title: "Run this call", default: false } },
      required: ["approve"],
    },
  };
}

/** Under a name that no tool has: that somebody was asked is no approval. */
const questionOf = (call: MediatedCall): MediatedCall => ({ ...call, tool: `review of ${call.tool}` });

function isAccepted(response: unknown): boolean {
  const { action, content } = (response ?? {}) as {
    action?: unknown;
    content?: { approve?: unknown } | null;
  };
  return action === "accept" && content?.approve === true;
}
