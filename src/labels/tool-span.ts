/**
 * Labels on a tool's span.
 *
 * @module
 */
import type { ErrorClass, SideEffect } from "../attributes/registry.ts";
import {
  canonicalFp,
  type FingerprintKey,
  prepareToolFingerprint,
  prepareVolatileKeys,
  strictFp,
  type ToolFingerprint,
} from "../fingerprint/index.ts";
import { keyOfActiveRun } from "./active-run.ts";
import { fingerprintOrReport } from "./fingerprint-label.ts";
import { readLabel, readOption } from "./options.ts";
import { isUsable, type LabelSpan, type MaybeSpan } from "./span.ts";
import { fillToolName, writeLabel } from "./write.ts";

/** What {@link markToolSpan} writes. An option that is left out, `null` or `undefined` is not written. */
export interface ToolSpanOptions {
  /** The arguments, fingerprinted and never copied. `undefined` stands for a call without arguments (`null`). */
  readonly args?: unknown;
  /** The result, fingerprinted and never copied. A call that failed has none: give `undefined` or `null`. */
  readonly result?: unknown;
  /** How many times this run has made this same call: an integer from 1. */
  readonly attempt?: number | null | undefined;
  /** What the tool can do to the world. Leave out when not known. */
  readonly sideEffect?: SideEffect | null | undefined;
  /** How the call failed. Leave out rather than guess. */
  readonly errorClass?: ErrorClass | null | undefined;
  /** The place of this call among the run's tool calls: an integer from 0, taken when the call starts. */
  readonly stepIndex?: number | null | undefined;
  /** The run's id: 1 to 128 characters without control characters. */
  readonly runId?: string | null | undefined;
  /** The tool's name. Fills `gen_ai.tool.name` where the span can be seen to have none. */
  readonly name?: string | null | undefined;
  /**
   * `"off"`, `{ args: "off" }` or `{ result: "off" }`: no fingerprint of that is written. `{ key }`, or a run's own
   * `fingerprint`: keyed with that. Default: as the run in the OpenTelemetry context, else unkeyed.
   */
  readonly fingerprint?: ToolFingerprint | null | undefined;
}

/**
 * Writes the tool labels on the span of one tool call. Does nothing when there is no span or it does not record.
 *
 * A value that cannot be fingerprinted costs its own label only; OpenTelemetry's `diag` says why.
 *
 * @throws RangeError on a value outside its enum or range, TypeError on a key that is no Uint8Array, only when the span
 *   records and before anything is written
 * @example
 * ```ts
 * import { markToolSpan } from "agent-reliability-otel-labels";
 * import { trace } from "@opentelemetry/api";
 *
 * markToolSpan(trace.getActiveSpan(), { args: { to: "JFK" }, result: [], attempt: 1, sideEffect: "read" });
 * ```
 */
export function markToolSpan(span: MaybeSpan, options: ToolSpanOptions): void {
  if (!isUsable(span)) return;
  const given: object = typeof options === "object" && options !== null ? options : {};
  const runId = readLabel(given, "runId", "trustabl.run_id");
  const stepIndex = readLabel(given, "stepIndex", "trustabl.step_index");
  const attempt = readLabel(given, "attempt", "trustabl.tool.attempt");
  const sideEffect = readLabel(given, "sideEffect", "trustabl.tool.side_effect");
  const errorClass = readLabel(given, "errorClass", "trustabl.tool.error_class");
  const { key, hidesArgs, hidesResult } = prepareToolFingerprint(readOption(given, "fingerprint"));
  const args = hidesArgs ? ABSENT : readOption(given, "args", ABSENT);
  const result = hidesResult ? ABSENT : readOption(given, "result", ABSENT);
  const fingerprint = fingerprintWith(key ?? keyOfActiveRun());
  const inputFp =
    args === ABSENT ? undefined : fingerprintOrReport("trustabl.tool.input_fp", fingerprint, args);
  const name = readOption(given, "name");
  writeToolStart(span, { runId, stepIndex, attempt, sideEffect, inputFp, name });
  const outputFp =
    result === ABSENT ? undefined : fingerprintOrReport("trustabl.tool.output_fp", fingerprint, result);
  writeToolEnd(span, { outputFp, errorClass });
}

// Stands for a value that is not there: one that is `undefined` has a fingerprint.
const ABSENT = Symbol("absent");

function fingerprintWith(key: FingerprintKey | undefined): (value: unknown) => string {
  return key === undefined ? canonicalFp : (value) => strictFp(value, prepareVolatileKeys(), key);
}

/** What is known when a call starts. */
export interface ToolStartLabels {
  readonly runId: string | undefined;
  readonly stepIndex: number | undefined;
  readonly attempt: number | undefined;
  readonly inputFp: string | undefined;
  /** The fingerprint by which the attempt was counted, also where none may be written. Is never written itself. */
  readonly countedFp?: string | undefined;
  readonly sideEffect: SideEffect | undefined;
  readonly name: unknown;
}

/** Writes what is known when a call starts, so that a span that the framework ends early still has it. */
export function writeToolStart(span: LabelSpan, labels: ToolStartLabels): void {
  writeLabel(span, "trustabl.run_id", labels.runId);
  writeLabel(span, "trustabl.step_index", labels.stepIndex);
  writeLabel(span, "trustabl.tool.attempt", labels.attempt);
  writeLabel(span, "trustabl.tool.input_fp", labels.inputFp);
  writeLabel(span, "trustabl.tool.side_effect", labels.sideEffect);
  fillToolName(span, labels.name);
}

/** What is known when a call ends. */
export interface ToolEndLabels {
  readonly outputFp: string | undefined;
  readonly errorClass: ErrorClass | undefined;
}

/** Writes what is known when a call ends. */
export function writeToolEnd(span: LabelSpan, labels: ToolEndLabels): void {
  writeLabel(span, "trustabl.tool.output_fp", labels.outputFp);
  writeLabel(span, "trustabl.tool.error_class", labels.errorClass);
}
