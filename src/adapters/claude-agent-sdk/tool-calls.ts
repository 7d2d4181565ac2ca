/**
 * The tool calls that hooks told of, and their labels.
 *
 * Labels are always decided on a recorded span, whatever comes to stand for the call: a live span of OpenInference, a span
 * of the command line that passes the relay, or both.
 *
 * @module
 */
import type { ErrorClass } from "../../attributes/registry.ts";
import { wireFp } from "../../fingerprint/index.ts";
import { report } from "../../labels/diagnostics.ts";
import { fingerprintOrReport } from "../../labels/fingerprint-label.ts";
import { RecordedSpan } from "../../labels/recorded-span.ts";
import { writeToolStart } from "../../labels/tool-span.ts";
import type { Run } from "../../run/run.ts";
import type { CallObserver } from "../../tool/observe-result.ts";
import { beginToolCall } from "../../tool/tool-call.ts";
import type { PreparedTool } from "../../tool/tool-definition.ts";

/**
 * Calls that are remembered. Also those that are over: an event has several callbacks, and each tells of it, so that a call
 * that was forgotten at once would be counted again.
 */
const MAX_CALLS = 10_000;

/** Which span is to come for a call: one of the command line, one that is live here, or none that is known of. */
export type AwaitedSpan = "relayed" | "live" | "unknown";

/** A tool of a query. */
export interface PreparedAgentTool extends PreparedTool {
  readonly refusalClass?: ((callId: string) => ErrorClass | undefined) | undefined;
}

/** One call. */
export interface AgentCall {
  readonly toolName: string;
  readonly callId: string;
  readonly tool: PreparedAgentTool;
  readonly run: Run;
  readonly span: RecordedSpan;
  /** The fingerprint of the input that was asked for. */
  readonly inputFp: string | undefined;
  /** Gone when the call has ended: it holds the input. */
  observer: CallObserver | undefined;
  readonly awaits: AwaitedSpan;
  ended: boolean;
  taken: boolean;
}

/** What a call is begun with. */
export interface BeginAgentCall {
  readonly sessionId: string;
  readonly callId: string;
  readonly tool: PreparedAgentTool;
  readonly input: unknown;
  readonly run: Run;
  readonly awaits: AwaitedSpan;
}

/** The calls of all queries, by session and call id: models number their calls as they like. */
export class ToolCalls {
  readonly #calls = new Map<string, AgentCall>();
  #forgottenOpen = 0;

  get size(): number {
    return this.#calls.size;
  }

  find(sessionId: string, callId: string): AgentCall | undefined {
    return this.#calls.get(keyOf(sessionId, callId));
  }

  /** Takes step and attempt, in the order in which the calls are asked for. */
  begin({ sessionId, callId, tool, input, run, awaits }: BeginAgentCall): AgentCall {
    const span = new RecordedSpan();
    const errorClass: PreparedTool["errorClass"] = (error, result) =>
      tool.refusalClass?.(callId) ?? tool.errorClass?.(error, result);
    const observer = beginToolCall({ ...tool, errorClass, span, run }, [input]);
    const { hidesArgs } = tool.fingerprint;
    const call = {
      toolName: tool.name,
      callId,
      tool,
      run,
      span,
      // Where none is written, it is made once more: rare, and only to see whether the call changed.
      inputFp: hidesArgs ? fingerprintOf(tool, run, input) : writtenFp(span),
      observer,
      awaits,
      ended: false,
      taken: false,
    };
    this.#calls.set(keyOf(sessionId, callId), call);
    if (this.#calls.size > MAX_CALLS) this.#forgetOldest();
    return call;
  }

  /** Whether a call that is not known and has ended is one that was forgotten, and so counted before. */
  wasForgotten(): boolean {
    if (this.#forgottenOpen === 0) return false;
    this.#forgottenOpen -= 1;
    return true;
  }

  #forgetOldest(): void {
    const [oldest] = this.#calls.entries();
    if (oldest === undefined) return;
    const [key, call] = oldest;
    this.#calls.delete(key);
    if (!call.ended) this.#forgottenOpen += 1;
    if (call.awaits === "relayed" ? call.taken : call.ended) return;
    report(
      "agent calls overflow",
      "",
      () =>
        `the labels of the oldest of more than ${MAX_CALLS} tool calls were dropped: no span came for them; does the command line export to the relay?`,
    );
  }
}

const writtenFp = ({ attributes }: RecordedSpan): string | undefined =>
  attributes["trustabl.tool.input_fp"] as string | undefined;

const keyOf = (sessionId: string, callId: string): string => `${sessionId}\n${callId}`;

/** What is known of how a call ended. */
export type CallEnd =
  | { readonly kind: "returned"; readonly input: unknown; readonly result: unknown }
  | { readonly kind: "failed"; readonly input: unknown; readonly error: unknown }
  /** The tool did not run. */
  | { readonly kind: "refused" };

/** Writes how a call ended, once. */
export function endCall(call: AgentCall, end: CallEnd): void {
  if (call.ended) return;
  call.ended = true;
  if (end.kind !== "refused") labelEffectiveInput(call, end.input);
  if (end.kind === "returned") call.observer?.returned(end.result);
  else call.observer?.failed(end.kind === "failed" ? end.error : undefined);
  call.observer = undefined;
  const isFound = call.span.isAttached;
  call.span.release();
  // Without a span of the agent tracing is off, or the query is not sampled: no loss.
  if (call.awaits !== "live" || isFound) return;
  report(
    "agent no span",
    call.toolName,
    () => `no tool span was found for a call of the tool "${call.toolName}", so it was not labelled`,
  );
}

// Hooks and permission callbacks may rewrite the input, and only what ran is told afterwards. The step was taken when the
// call began; the attempt is that of the call that was really made.
function labelEffectiveInput(call: AgentCall, input: unknown): void {
  const { tool, run, span } = call;
  const inputFp = fingerprintOf(tool, run, input);
  if (inputFp === undefined || inputFp === call.inputFp) return;
  writeToolStart(span, {
    runId: undefined,
    stepIndex: undefined,
    attempt: run.nextAttempt(tool.name, inputFp),
    inputFp: tool.fingerprint.hidesArgs ? undefined : inputFp,
    sideEffect: undefined,
    name: undefined,
  });
}

function fingerprintOf(tool: PreparedAgentTool, run: Run, input: unknown): string | undefined {
  if (tool.sensitive === true) return undefined;
  const key = tool.fingerprint.key ?? run.fingerprint?.key;
  return fingerprintOrReport(
    "trustabl.tool.input_fp",
    () => wireFp(tool.args === undefined ? input : tool.args(input), tool.volatileKeys, key),
    undefined,
  );
}
