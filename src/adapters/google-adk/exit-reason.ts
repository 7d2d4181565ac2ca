/**
 * How a run of ADK ended, from its events. ADK turns what its model throws into an event, so that a run that failed ends as
 * quietly as one that found its answer.
 *
 * @module
 */
import type { ExitReason } from "../../attributes/registry.ts";

/** What is read of an event of `runner.runAsync`. */
export interface AdkEvent {
  /** Set when the event is an error, which ADK does not throw. */
  readonly errorCode?: string | undefined;
  /** The error's text. Read only to know ADK's own sentence about `maxLlmCalls`. */
  readonly errorMessage?: string | undefined;
  /** `true` in the middle of a streamed text: a run that ends there was cut off. */
  readonly partial?: boolean | undefined;
  /** Ids of calls that somebody outside has to answer; any of them says that the run waits. */
  readonly longRunningToolIds?: readonly unknown[] | undefined;
  /** What a tool asked for besides its result: an end of the run, a credential, a confirmation. */
  readonly actions?: AdkActions | undefined;
  /** The message. Only whether a part is a `functionCall` or a `functionResponse` is looked at. */
  readonly content?: { readonly parts?: readonly object[] | undefined } | undefined;
}

interface AdkActions {
  readonly skipSummarization?: boolean | undefined;
  readonly escalate?: boolean | undefined;
  readonly requestedAuthConfigs?: object | undefined;
  readonly requestedToolConfirmations?: object | undefined;
}

// The cap has no code of its own: it is an error like any other until its message is read.
const CALL_LIMIT = /^Max number of llm calls limit of \d+ exceeded$/;

/**
 * How a run ended, for the `exitReason` option of `withRun`: `max_steps` when the run wanted one call of the model more than
 * `maxLlmCalls`, `error` when its last event is another error or nothing that a run ends with, as after an abort, `undefined` (a
 * final answer) otherwise.
 *
 * A run that waits for an approval has not been stopped: `undefined`.
 *
 * @param events those of the run, at least the last
 * @example
 * ```ts
 * import { type Span } from "@opentelemetry/api";
 * import { withRun } from "agent-reliability-otel-labels";
 * import { type AdkEvent, exitReasonOf } from "agent-reliability-otel-labels/google-adk";
 *
 * declare function runAgent(question: string): AsyncIterable<AdkEvent>; // runner.runAsync({ … })
 *
 * export const answer = (root: Span, question: string) =>
 *   withRun(
 *     root,
 *     async () => {
 *       const events: AdkEvent[] = [];
 *       for await (const event of runAgent(question)) events.push(event);
 *       return events;
 *     },
 *     { exitReason: (events) => exitReasonOf(events) },
 *   );
 * ```
 */
export function exitReasonOf(events: readonly AdkEvent[]): ExitReason | undefined {
  const last = events.at(-1);
  if (last?.errorCode !== undefined) return CALL_LIMIT.test(last.errorMessage ?? "") ? "max_steps" : "error";
  return last === undefined || wantsMore(last) ? "error" : undefined;
}

// ADK's own rule for going on: it does after a call, after a result and in the middle of a text, unless somebody outside has to
// answer first, or a tool said that this was all.
function wantsMore({ partial, longRunningToolIds, actions = {}, content }: AdkEvent): boolean {
  if (actions.skipSummarization === true || actions.escalate === true) return false;
  const asked = [longRunningToolIds, actions.requestedAuthConfigs, actions.requestedToolConfirmations];
  if (asked.some((questions) => Object.keys(questions ?? {}).length > 0)) return false;
  const holds = (kind: string) => content?.parts?.some((part) => Object.hasOwn(part, kind)) === true;
  return partial === true || holds("functionCall") || holds("functionResponse");
}
