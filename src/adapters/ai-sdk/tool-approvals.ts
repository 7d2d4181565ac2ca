/**
 * The approvals of a mediated tool: a person is asked in one request, and the answer comes with the messages of another.
 *
 * @module
 */
import type { MediatedCall, Mediation } from "../../claims/index.ts";

/** A message of the AI SDK, as far as it is read here. A client may have written it. */
export interface ApprovalMessage {
  readonly role: string;
  readonly content: unknown;
}

interface Part {
  readonly type?: unknown;
  readonly approvalId?: unknown;
  readonly toolCallId?: unknown;
  readonly approved?: unknown;
}

/**
 * Whether a person has to be asked about a call. The SDK asks this twice: when the model makes the call, and, once a person
 * has agreed, before the tool runs.
 *
 * That a person was asked is kept under a name that no tool can have, and becomes an approval when the run goes on. An
 * approval from the start would be lying there for a call that the person has refused.
 */
export async function needsApproval(
  step: Mediation,
  call: MediatedCall,
  messages: readonly ApprovalMessage[] | undefined,
): Promise<boolean> {
  const asked = { ...call, tool: `asked about ${call.tool}` };
  const agreed = hasAgreed(messages, call.callId);
  try {
    if (agreed) {
      if (await step.withdraw(asked)) await step.approve(call);
    } else {
      const { outcome } = await step.consider(call);
      // A denial is the tool's to tell; that a call cannot be approved too.
      return outcome === "review" && (await step.approve(asked));
    }
  } catch {
    // The store of approvals failed: without one the tool does not run, and tells the model.
  }
  // `false` once a person has agreed would read as "was never needed", and hide what the tool says.
  return agreed;
}

/** The SDK runs approved calls where the last message has the answers. */
function hasAgreed(messages: readonly ApprovalMessage[] = [], callId: string | undefined): boolean {
  const requests = new Set(
    messages
      .flatMap(partsOf)
      .filter((part) => part.type === "tool-approval-request" && part.toolCallId === callId)
      .map(({ approvalId }) => approvalId),
  );
  return partsOf(messages.at(-1)).some(
    ({ type, approved, approvalId }) =>
      type === "tool-approval-response" && approved === true && requests.has(approvalId),
  );
}

function partsOf(message: ApprovalMessage | undefined): readonly Part[] {
  const content = message?.content;
  return Array.isArray(content) ? content.filter((part) => typeof part === "object" && part !== null) : [];
}
