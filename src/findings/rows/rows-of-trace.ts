/**
 * The rows of a trace whose spans have all arrived: one for each tool call, however many spans stand for it, and one
 * for every other span that is labelled or an agent's.
 *
 * @module
 */

import { canonicalFp } from "../../fingerprint/index.ts";
import { isRoot } from "../../verify/engine/judge-trace.ts";
import { runIdOf, type SealedTrace } from "../../verify/engine/sealed-trace.ts";
import type { NotableSpan, SpanRecord } from "../../verify/engine/span-record.ts";
import type { SpanExtras } from "./span-extras.ts";
import type { FieldValues, SpanRow } from "./span-row.ts";

/** What a call that failed has as the fingerprint of its result. */
export const FAILED_OUTPUT_FP: string = canonicalFp(null);

/** Looks up what was read of a span besides its labels. */
export type ExtrasLookup = (span: SpanRecord) => SpanExtras;

/** The rows of a trace. */
export function rowsOfTrace(trace: SealedTrace, extras: ExtrasLookup): SpanRow[] {
  const rows: SpanRow[] = [];
  for (const { span, inner } of trace.calls) {
    const members = [span, ...inner];
    // The label stands on the outermost span, or where somebody labelled the same call further in.
    const labelled = members.find(isLabelledCall) ?? span;
    rows.push(rowOf(trace, labelled, "call", mergedExtras(labelled, members, extras)));
  }
  for (const span of trace.spans) {
    if (span.facts.role === "tool") continue;
    const kind = span.facts.role === undefined && isLabelledCall(span) ? "call" : "span";
    rows.push(rowOf(trace, span, kind, extras(span)));
  }
  return rows;
}

// A mediator may have written on another span of the same call than we did.
function mergedExtras(
  labelled: NotableSpan,
  members: readonly NotableSpan[],
  extras: ExtrasLookup,
): SpanExtras {
  const own = extras(labelled);
  if (members.length === 1) return own;
  const all = members.map(extras);
  const most = (field: "decision" | "constraintKind" | "reasonCode" | "dataClass"): string | undefined =>
    all.reduce<string | undefined>(
      (best, one) => ((one[field] ?? "") > (best ?? "") ? one[field] : best),
      undefined,
    );
  return {
    ...own,
    decision: most("decision"),
    constraintKind: most("constraintKind"),
    reasonCode: most("reasonCode"),
    dataClass: most("dataClass"),
  };
}

function rowOf(trace: SealedTrace, span: NotableSpan, kind: SpanRow["kind"], extras: SpanExtras): SpanRow {
  const { facts } = span;
  const own = runIdOf(span);
  const isCertain = trace.isCertain(span);
  const labelled = isLabelledCall(span);
  const values = valuesOf(span, kind, extras);
  return {
    span: trace.anchor(span),
    kind,
    role: facts.role,
    runId: trace.runIdOf(span),
    isRoot: kind === "span" && own !== undefined && isRoot(trace, span, own),
    notRun: !labelled && trace.mayNotHaveRun(span),
    labelled,
    step: values.step as number | undefined,
    attempt: values.attempt as number | undefined,
    inputFp: values.inputFp as string | undefined,
    toolName: facts.toolName,
    start: facts.start > 0 ? facts.start : undefined,
    end: facts.end,
    droppedAttributes: facts.droppedAttributes,
    stray: undefined,
    values,
    policies: extras.policies,
    droppedEvents: extras.droppedEvents,
    isCertain,
  };
}

function valuesOf({ facts }: NotableSpan, kind: SpanRow["kind"], extras: SpanExtras): FieldValues {
  const labels = facts.labels ?? {};
  const label = (name: keyof typeof labels): string | number | undefined => labels[name] ?? undefined;
  const errorClass = label("trustabl.tool.error_class");
  const outputFp = label("trustabl.tool.output_fp");
  const isCall = kind === "call";
  return {
    tool: isCall ? facts.toolName : undefined,
    step: label("trustabl.step_index"),
    attempt: label("trustabl.tool.attempt"),
    inputFp: label("trustabl.tool.input_fp"),
    outputFp,
    sideEffect: extras.sideEffectNone ? "none" : label("trustabl.tool.side_effect"),
    errorClass,
    exitReason: label("trustabl.exit_reason"),
    handoffId: label("trustabl.handoff_id"),
    failed: extras.failed || errorClass !== undefined || outputFp === FAILED_OUTPUT_FP,
    decision: extras.decision,
    constraintKind: extras.constraintKind,
    reasonCode: extras.reasonCode,
    dataClass: extras.dataClass,
    bundleId: extras.bundleId,
    bundleSha256: extras.bundleSha256,
    contractId: extras.contractId,
    contractHash: extras.contractHash,
    spanContractHash: extras.spanContractHash,
    agentVersion: extras.agentVersion,
  };
}

function isLabelledCall({ facts: { labels } }: NotableSpan): boolean {
  return CALL_LABELS.some((name) => (labels?.[name] ?? undefined) !== undefined);
}

const CALL_LABELS = ["trustabl.tool.input_fp", "trustabl.tool.attempt", "trustabl.step_index"] as const;
