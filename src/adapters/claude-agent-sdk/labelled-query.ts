/**
 * One query, as its hooks and messages tell of it.
 *
 * @module
 */
import { type Context, context } from "@opentelemetry/api";
import { report } from "../../labels/diagnostics.ts";
import type { AgentResult } from "./exit-reason.ts";
import { contextWithCall } from "./live-spans.ts";
import type { MessageObserver } from "./observed-messages.ts";
import type { QueryRun } from "./query-run.ts";
import { type HookInput, type SdkMessage, settledCalls, textOf } from "./sdk-types.ts";
import {
  type AgentCall,
  type AwaitedSpan,
  endCall,
  type PreparedAgentTool,
  type ToolCalls,
} from "./tool-calls.ts";

/** What a query needs of the rest. */
export interface LabelledQueryParts {
  readonly run: QueryRun;
  readonly calls: ToolCalls;
  readonly awaits: AwaitedSpan;
  toolOf(name: string): PreparedAgentTool;
  onSession(sessionId: string): void;
  onSettled(): void;
}

/** Begins and ends the calls of one query. No method throws. */
export class LabelledQuery implements MessageObserver {
  readonly #parts: LabelledQueryParts;
  /** Calls that have not ended, by call id. */
  readonly #open = new Map<string, AgentCall>();
  #sessionId: string | undefined;

  constructor(parts: LabelledQueryParts) {
    this.#parts = parts;
  }

  /** A hook is called; gives the context that it is to be called in. */
  hook(input: HookInput | null | undefined): Context {
    try {
      return contextWithCall(context.active(), this.#told(input ?? {}));
    } catch {
      report("agent hook", "", () => "a hook of a tool call failed; its labels may be missing");
      return context.active();
    }
  }

  #told(input: HookInput): AgentCall | undefined {
    const event = input.hook_event_name;
    if (event !== "PreToolUse" && event !== "PostToolUse" && event !== "PostToolUseFailure") return undefined;
    const sessionId = textOf(input.session_id);
    const callId = textOf(input.tool_use_id);
    const name = textOf(input.tool_name);
    if (sessionId === undefined || callId === undefined || name === undefined) {
      report(
        "agent hook fields",
        "",
        () => "a hook told of a call without its session, id or tool; it was not labelled",
      );
      return undefined;
    }
    this.#meet(sessionId);
    const known = this.#parts.calls.find(sessionId, callId);
    const begins = event === "PreToolUse";
    if (known === undefined && !begins && this.#parts.calls.wasForgotten()) return undefined;
    const call = known ?? this.#begin(sessionId, callId, name, input.tool_input);
    if (begins || call.ended) return call;
    const { tool_input, tool_response, error } = input;
    if (event === "PostToolUse")
      endCall(call, { kind: "returned", input: tool_input, result: tool_response });
    else endCall(call, { kind: "failed", input: tool_input, error });
    this.#settle(call);
    return call;
  }

  #begin(sessionId: string, callId: string, name: string, input: unknown): AgentCall {
    const { calls, toolOf, run, awaits } = this.#parts;
    const call = calls.begin({ sessionId, callId, tool: toolOf(name), input, run: run.run, awaits });
    this.#open.set(callId, call);
    return call;
  }

  /** A message is read: its session, calls that are settled, the end of a turn. */
  message(message: SdkMessage): void {
    try {
      const sessionId = textOf(message?.session_id);
      if (sessionId === undefined) return;
      this.#meet(sessionId);
      for (const callId of settledCalls(message)) this.#refuse(this.#open.get(callId));
      if (message.type !== "result") return;
      this.#parts.run.result(message as object as AgentResult);
      this.#parts.onSettled();
    } catch {
      report("agent message", "", () => "a message of a query could not be read; labels may be missing");
    }
  }

  /** The query is over: what has not ended by now never ran, or was cut off. */
  end(): void {
    try {
      for (const call of this.#open.values()) this.#refuse(call);
      this.#parts.run.finish();
      this.#parts.onSettled();
    } catch {
      report("agent end", "", () => "the end of a query could not be labelled");
    }
  }

  // A call that has a result without a hook that told of it was refused.
  #refuse(call: AgentCall | undefined): void {
    if (call === undefined) return;
    endCall(call, { kind: "refused" });
    this.#settle(call);
  }

  #settle(call: AgentCall): void {
    this.#open.delete(call.callId);
    this.#parts.onSettled();
  }

  #meet(sessionId: string): void {
    if (sessionId === this.#sessionId) return;
    this.#sessionId = sessionId;
    this.#parts.onSession(sessionId);
  }
}
