/**
 * A span by itself, as a trace that may still grow.
 *
 * @module
 */
import { SealedTrace } from "../../verify/engine/sealed-trace.ts";
import type { SpanRecord } from "../../verify/engine/span-record.ts";
import { TraceState } from "../../verify/engine/trace-state.ts";

/** A trace of one span, with what was captured in the whole trace so far; whatever stands above the span is not known. */
export function traceOfOne(trace: TraceState, record: SpanRecord): SealedTrace {
  const state = new TraceState(trace.id, false, trace.hasContent ? trace.pool : undefined);
  state.put(record);
  return new SealedTrace(state, true);
}
