/**
 * A span by itself, as a trace that may still grow.
 *
 * @module
 */
import { SealedTrace } from "../../verify/engine/sealed-trace.ts";
import type { SpanRecord } from "../../verify/engine/span-record.ts";
import { TraceState } from "../../verify/engine/trace-state.ts";

/** The trace of one span; whatever stands above it is not known. */
export function traceOfOne(traceId: string, record: SpanRecord): SealedTrace {
  const state = new TraceState(traceId, false);
  state.put(record);
  return new SealedTrace(state, true);
}
