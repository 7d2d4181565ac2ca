/** A `query` that calls hooks and gives messages as the SDK does, without a subprocess. */
import type { HookMatcher, QueryOptions } from "../../../src/adapters/claude-agent-sdk/sdk-types.ts";

/** One call and what becomes of it. */
export interface FakeCall {
  readonly id: string;
  readonly name?: string;
  readonly input: unknown;
  /** What hooks made of the input. */
  readonly ranWith?: unknown;
  readonly result?: unknown;
  readonly error?: string;
  /** `refused`: no hook tells of the end. `lost`: nothing at all does. */
  readonly end?: "refused" | "lost";
  /** Resolves when the tool is done. */
  readonly done?: Promise<void>;
}

export interface FakeQuery {
  readonly sessionId: string;
  readonly calls: readonly FakeCall[];
  readonly result?: object;
}

export const toolEvent = (event: string, sessionId: string, id: string, name: string, more: object) => ({
  hook_event_name: event,
  session_id: sessionId,
  tool_use_id: id,
  tool_name: name,
  ...more,
});

/** Calls every callback of an event, all at once, and gives what they answered. */
export function callHooks(
  options: QueryOptions | undefined,
  input: { hook_event_name: string },
): Promise<unknown[]> {
  const matchers: readonly HookMatcher[] = options?.hooks?.[input.hook_event_name] ?? [];
  const callbacks = matchers.flatMap(({ hooks }) => hooks);
  return Promise.all(
    callbacks.map((callback) => callback(input, "id", { signal: new AbortController().signal })),
  );
}

/** Calls run at the same time; messages come in the order in which calls end. */
export async function* fakeQuery(
  { sessionId, calls, result = { subtype: "success", permission_denials: [] } }: FakeQuery,
  options: QueryOptions | undefined,
): AsyncGenerator<object, void> {
  yield { type: "system", subtype: "init", session_id: sessionId };
  const running = calls.map(async (call) => {
    const { id, name = "search", input, ranWith = input } = call;
    await callHooks(options, toolEvent("PreToolUse", sessionId, id, name, { tool_input: input }));
    await call.done;
    if (call.end !== undefined) return call;
    const failed = call.error !== undefined;
    const end = failed ? { error: call.error } : { tool_response: call.result };
    const event = failed ? "PostToolUseFailure" : "PostToolUse";
    await callHooks(options, toolEvent(event, sessionId, id, name, { tool_input: ranWith, ...end }));
    return call;
  });
  for (const call of await Promise.all(running)) {
    if (call.end === "lost") continue;
    const content = [{ type: "tool_result", tool_use_id: call.id, is_error: call.end === "refused" }];
    yield { type: "user", session_id: sessionId, message: { role: "user", content } };
  }
  yield { type: "result", session_id: sessionId, ...result };
}

/** Reads everything. */
export async function drain(query: AsyncIterable<unknown>): Promise<unknown[]> {
  const messages: unknown[] = [];
  for await (const message of query) messages.push(message);
  return messages;
}

/** The command line's span of a call, or of a turn. */
export const toolSpan = (sessionId: string, id: string, name = "search") => ({
  name: "claude_code.tool",
  scope: "com.anthropic.claude_code.tracing",
  attributes: {
    "span.type": "tool",
    "session.id": sessionId,
    "gen_ai.tool.call.id": id,
    tool_name: name,
  },
});
export const interaction = (sessionId: string, turn = 1) => ({
  name: "claude_code.interaction",
  scope: "com.anthropic.claude_code.tracing",
  attributes: { "span.type": "interaction", "session.id": sessionId, "interaction.sequence": turn },
});
