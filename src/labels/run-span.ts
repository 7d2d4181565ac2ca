/**
 * Labels on an agent's span: how the run ended, and which delegation an agent came from.
 *
 * @module
 */
import { type ExitReason, SPAN_ATTRIBUTES, type SpanAttributeName } from "../attributes/registry.ts";
import { requireShape } from "./options.ts";
import { isUsable, type MaybeSpan } from "./span.ts";
import { writeLabel } from "./write.ts";

/**
 * Writes the run's id on the agent's root span. {@link Run.markStart} calls it.
 *
 * @throws RangeError when the id is not 1 to 128 characters without control characters, only when the span records
 */
export function markRunStart(span: MaybeSpan, runId: string): void {
  mark(span, "trustabl.run_id", "runId", runId);
}

/**
 * Writes how the run ended on the agent's root span. Call it before the span ends: an ended span keeps nothing.
 *
 * @throws RangeError when `exitReason` is not one of the four, only when the span records
 * @example
 * ```ts
 * import { markRunEnd } from "agent-reliability-otel-labels";
 * import { trace } from "@opentelemetry/api";
 *
 * markRunEnd(trace.getActiveSpan(), "final_answer");
 * ```
 */
export function markRunEnd(span: MaybeSpan, exitReason: ExitReason): void {
  mark(span, "trustabl.exit_reason", "exitReason", exitReason);
}

/**
 * Writes on a delegated agent's span which delegation it came from.
 *
 * @param handoffId 1 to 128 characters without control characters, different for each delegation
 * @throws RangeError when the id has another form, only when the span records
 */
export function markHandoff(span: MaybeSpan, handoffId: string): void {
  mark(span, "trustabl.handoff_id", "handoffId", handoffId);
}

function mark(span: MaybeSpan, label: SpanAttributeName, parameter: string, value: string): void {
  if (!isUsable(span)) return;
  requireShape(parameter, SPAN_ATTRIBUTES[label].shape, value);
  writeLabel(span, label, value);
}
