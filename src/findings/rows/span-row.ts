/**
 * One span, or one tool call, as the rules see it.
 *
 * @module
 */
import type { SpanRole } from "../../attributes/conventions.ts";
import type { RunCall } from "../../verify/engine/run-state.ts";
import { compareText } from "../../verify/engine/span-record.ts";
import type { Field } from "./fields.ts";
import type { SpanExtras } from "./span-extras.ts";

/** The values of a row by field. Missing where the label is missing or has the wrong form. */
export type FieldValues = { readonly [Name in Field]?: string | number | boolean | undefined };

/** One row. What the verifier's own windows of runs keep is a part of it. */
export interface SpanRow extends RunCall {
  readonly kind: "call" | "span";
  readonly role: SpanRole | undefined;
  /** The span's own run id, or the one of the nearest labelled span above it. */
  readonly runId: string | undefined;
  /** The outermost span of its run. */
  readonly isRoot: boolean;
  /** Some sign that no tool function ran. */
  readonly notRun: boolean;
  readonly values: FieldValues;
  readonly policies: SpanExtras["policies"];
  readonly droppedEvents: boolean;
  /** False when spans above it may have come too late to be seen. */
  readonly isCertain: boolean;
}

/** By step where there is one, then by start; the same order whatever order the spans came in. */
export function byStep(a: SpanRow, b: SpanRow): number {
  return (
    (a.step ?? Number.POSITIVE_INFINITY) - (b.step ?? Number.POSITIVE_INFINITY) ||
    a.span.start - b.span.start ||
    compareText(a.span.spanId, b.span.spanId) ||
    compareText(a.span.traceId, b.span.traceId)
  );
}
