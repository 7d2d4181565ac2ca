/**
 * How a run of ADK ended, from its events. ADK turns what its model throws into an event, so that a run that failed ends as
 * quietly as one that found its answer.
 *
 * @module
 */
import type { ExitReason } from "../../attributes/registry.ts";

/** What is read of an event of `runner.runAsync`. */
export interface AdkEvent {
  readonly errorCode?: string | undefined;
  readonly errorMessage?: string | undefined;
}

// The cap has no code of its own: it is an error like any other until its message is read.
const CALL_LIMIT = /^Max number of llm calls limit of \d+ exceeded$/;

/**
 * How a run ended, for the `exitReason` option of `withRun`: `max_steps` when the run wanted one call of the model more than
 * `maxLlmCalls`, `error` when its last event is another error, `undefined` (a final answer) otherwise.
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
  const { errorCode, errorMessage } = events.at(-1) ?? {};
  if (errorCode === undefined) return undefined;
  return CALL_LIMIT.test(errorMessage ?? "") ? "max_steps" : "error";
}
