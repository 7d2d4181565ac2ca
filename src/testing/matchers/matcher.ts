/**
 * What a matcher is to vitest and jest alike, and what ours take.
 *
 * @module
 */
import type { Report } from "../../verify/index.ts";
import { RecordedTraces } from "../recording/recorded-traces.ts";
import type { RecordedSpan } from "../recording/span-types.ts";

/** What a test runner gives a matcher as `this`. */
export interface MatcherContext {
  /** True behind `.not`. */
  readonly isNot?: boolean | undefined;
}

/** What a matcher answers. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** A promise for a recording, which has to wait for its spans; at once for everything else. */
export type MatcherAnswer = MatcherResult | Promise<MatcherResult>;

/** Asks `answer` about the finished spans. */
export function aboutSpans(
  received: unknown,
  answer: (spans: readonly RecordedSpan[]) => MatcherResult,
): MatcherAnswer {
  if (isRecording(received)) return received.spans().then(answer);
  return answer(spansIn(received));
}

/** True for a recording, also one of another copy of this package. */
export function isRecording(received: unknown): received is RecordedTraces {
  return received instanceof RecordedTraces || typeof member(received, "unended") === "function";
}

/** True for a report of the verifier. */
export function isReport(received: unknown): received is Report {
  return typeof member(received, "verdict") === "string" && Array.isArray(member(received, "checks"));
}

/** @throws TypeError that says what is taken instead */
export function spansIn(received: unknown): readonly RecordedSpan[] {
  if (typeof member(received, "then") === "function") {
    throw new TypeError("expected a recording or spans, got a promise: await it first");
  }
  if (typeof received === "object" && received !== null && Symbol.iterator in received) {
    const spans = [...(received as Iterable<unknown>)];
    if (spans.every((span) => typeof member(span, "spanContext") === "function")) {
      return spans as RecordedSpan[];
    }
  }
  throw new TypeError(
    "expected a recording made by recordTraces(), or finished spans of an OpenTelemetry SDK",
  );
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
