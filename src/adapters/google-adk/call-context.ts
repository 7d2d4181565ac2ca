/**
 * What ADK hands to a tool's functions as their second parameter. All of it is read as if it might not be there.
 *
 * @module
 */

/** ADK's own "function", which a person is asked through. */
const CONFIRMATION = "adk_request_confirmation";

interface Part {
  readonly functionCall?: {
    readonly id?: unknown;
    readonly name?: unknown;
    readonly args?: { readonly originalFunctionCall?: { readonly id?: unknown } };
  };
  readonly functionResponse?: { readonly id?: unknown; readonly name?: unknown };
}

interface Content {
  readonly parts?: readonly Part[];
}

export interface CallContext {
  readonly functionCallId?: unknown;
  /** The person's answer, when the call was asked about and goes on. */
  readonly toolConfirmation?: { readonly confirmed?: unknown } | undefined;
  /** The user's message that began this invocation. */
  readonly userContent?: Content | undefined;
  readonly invocationContext?: {
    readonly session?: { readonly events?: readonly { readonly content?: Content }[] };
  };
}

/** The call id that the model gave, or ADK made. */
export function callIdOf(_input: unknown, context: CallContext | undefined): string | undefined {
  const id = context?.functionCallId;
  return typeof id === "string" ? id : undefined;
}

/** Whether the user's message answers the question whether this call may run; the answer may be no. */
export function isAnswered({ functionCallId, userContent, invocationContext }: CallContext): boolean {
  const answered = new Set(
    partsOf(userContent).flatMap(({ functionResponse: answer }) =>
      answer?.name === CONFIRMATION && typeof answer.id === "string" ? [answer.id] : [],
    ),
  );
  // Nearly every call is made in an invocation that answers nothing, and a session may be long.
  if (answered.size === 0) return false;
  const events = invocationContext?.session?.events ?? [];
  return events.some(({ content }) =>
    partsOf(content).some(
      ({ functionCall: question }) =>
        question?.name === CONFIRMATION &&
        answered.has(question.id as string) &&
        question.args?.originalFunctionCall?.id === functionCallId,
    ),
  );
}

function partsOf(content: Content | null | undefined): readonly Part[] {
  return Array.isArray(content?.parts) ? content.parts : [];
}
