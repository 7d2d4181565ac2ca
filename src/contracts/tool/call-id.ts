/**
 * Where frameworks hand over the id that the model gave a call, so that one wrapper serves them all.
 *
 * @module
 */

interface HandedOver {
  readonly toolCallId?: unknown;
  readonly toolCall?: { readonly id?: unknown; readonly callId?: unknown };
  readonly _meta?: { readonly "claudecode/toolUseId"?: unknown };
}

/**
 * The id in what a tool function is called with besides its arguments: `toolCallId` (AI SDK, Mastra), `toolCall.callId`
 * (OpenAI Agents), `toolCall.id` (LangChain), `_meta["claudecode/toolUseId"]` (Claude Agent SDK).
 */
export function callIdIn(rest: readonly unknown[]): string | undefined {
  for (const parameter of rest) {
    const { toolCallId, toolCall, _meta } = (parameter ?? {}) as HandedOver;
    const id = toolCallId ?? toolCall?.callId ?? toolCall?.id ?? _meta?.["claudecode/toolUseId"];
    if (typeof id === "string" && id !== "") return id;
  }
  return undefined;
}
