/**
 * One input for two that judge it.
 *
 * @module
 */
import type { SpanSink } from "../../verify/read/span-sink.ts";

/** A sink that hands everything to both. */
export function bothSinks(first: SpanSink, second: SpanSink): SpanSink {
  return {
    span: (view) => {
      first.span(view);
      second.span(view);
    },
    problem: (problem) => {
      first.problem(problem);
      second.problem(problem);
    },
    skipped: (signal, records) => {
      first.skipped(signal, records);
      second.skipped(signal, records);
    },
  };
}
