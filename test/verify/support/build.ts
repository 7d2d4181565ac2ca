/** Spans in the verifier's own form, correct unless a test says otherwise. */
import { canonicalFp } from "../../../src/fingerprint/index.ts";
import type { SpanEventView, SpanView } from "../../../src/verify/index.ts";
import {
  type CheckId,
  type Finding,
  type Outcome,
  type Report,
  type VerifyOptions,
  verify,
} from "../../../src/verify/index.ts";

export const RUN = "00000000000000aa";
const TRACE = "0af7651916cd43dd8448eb211c80319c";

/** An id that is 16 hexadecimal characters and can be told apart at a glance. */
export const spanId = (name: string): string =>
  [...name]
    .map((letter) => letter.charCodeAt(0).toString(16))
    .join("")
    .padEnd(16, "0")
    .slice(0, 16);

export interface SpanParts {
  readonly trace?: string;
  readonly parent?: string;
  readonly name?: string;
  readonly scope?: string;
  /** Milliseconds. */
  readonly start?: number;
  readonly end?: number | null;
  readonly status?: SpanView["status"];
  readonly statusMessage?: string;
  readonly attributes?: Record<string, unknown>;
  readonly events?: readonly SpanEventView[];
  readonly droppedAttributes?: number;
  readonly droppedEvents?: number;
}

const nanoseconds = (milliseconds: number): bigint =>
  1_700_000_000_000_000_000n + BigInt(milliseconds) * 1_000_000n;

export function span(id: string, parts: SpanParts = {}): SpanView {
  const start = parts.start ?? 0;
  return {
    traceId: parts.trace ?? TRACE,
    spanId: spanId(id),
    parentSpanId: parts.parent === undefined ? undefined : spanId(parts.parent),
    name: parts.name ?? id,
    scope: parts.scope ?? "gen_ai",
    start: nanoseconds(start),
    end: parts.end === null ? undefined : nanoseconds(parts.end ?? start + 10),
    status: parts.status ?? "unset",
    statusMessage: parts.statusMessage,
    attributes: parts.attributes ?? {},
    events: parts.events ?? [],
    droppedAttributes: parts.droppedAttributes ?? 0,
    droppedEvents: parts.droppedEvents ?? 0,
  };
}

/** Undefined takes an attribute away. */
const without = (attributes: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));

/** An agent's span with the labels of a run's root. */
export function root(id = "root", parts: SpanParts = {}): SpanView {
  return span(id, {
    name: "invoke_agent desk",
    end: 1_000,
    ...parts,
    attributes: without({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "desk",
      "trustabl.run_id": RUN,
      "trustabl.exit_reason": "final_answer",
      ...parts.attributes,
    }),
  });
}

/** An agent's span without labels. */
export function agent(id: string, parts: SpanParts = {}): SpanView {
  return root(id, {
    ...parts,
    attributes: { "trustabl.run_id": undefined, "trustabl.exit_reason": undefined, ...parts.attributes },
  });
}

export interface CallParts extends SpanParts {
  readonly tool?: string;
  readonly step?: number;
  readonly attempt?: number;
  readonly args?: unknown;
  readonly result?: unknown;
}

/** A tool span with all labels; starts 10 ms after the step before it. */
export function call(id: string, parts: CallParts = {}): SpanView {
  const { tool = "search", step = 0, attempt = 1, args = { q: id }, result = { found: id } } = parts;
  return span(id, {
    parent: "root",
    name: `execute_tool ${tool}`,
    start: 100 + step * 20,
    ...parts,
    attributes: without({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool,
      "gen_ai.tool.call.id": `call_${id}`,
      "gen_ai.tool.call.arguments": JSON.stringify(args),
      "gen_ai.tool.call.result": JSON.stringify(result),
      "trustabl.run_id": RUN,
      "trustabl.step_index": step,
      "trustabl.tool.attempt": attempt,
      "trustabl.tool.input_fp": canonicalFp(args),
      "trustabl.tool.output_fp": canonicalFp(result),
      ...parts.attributes,
    }),
  });
}

/** Takes every label away. */
export const UNLABELLED: Record<string, undefined> = {
  "trustabl.run_id": undefined,
  "trustabl.step_index": undefined,
  "trustabl.tool.attempt": undefined,
  "trustabl.tool.input_fp": undefined,
  "trustabl.tool.output_fp": undefined,
};

/** A policy event that is complete. */
export function binding(id: string, attributes: Record<string, unknown> = {}): SpanEventView {
  return {
    name: "trustabl.policy.binding",
    attributes: without({
      "trustabl.policy.binding.id": id,
      "trustabl.policy.binding.type": "sandbox",
      "trustabl.policy.binding.sha256": "ab".repeat(32),
      "trustabl.policy.binding.version": "3",
      "trustabl.policy.binding.required": true,
      "trustabl.policy.binding.source": "entrypoint",
      ...attributes,
    }),
  };
}

/** What the report says of one check. */
export function resultOf(report: Report, check: CheckId) {
  const result = report.checks.find(({ id }) => id === check);
  if (result === undefined) throw new Error(`there is no result of ${check}`);
  return result;
}

/** Outcome and reasons of one check over the spans, as one line: `fail: duplicate`. */
export function judged(check: CheckId, spans: readonly SpanView[], options: VerifyOptions = {}): string {
  const { outcome, findings } = resultOf(verify(spans, options), check);
  return [
    outcome,
    ...new Set(findings.map(({ outcome: how, reason }) => (how === outcome ? reason : `${how} ${reason}`))),
  ].join(": ");
}

/** Findings of one check over the spans. */
export function findingsOf(
  check: CheckId,
  spans: readonly SpanView[],
  options: VerifyOptions = {},
): readonly Finding[] {
  return resultOf(verify(spans, options), check).findings;
}

/** The checks with an outcome. */
export function checksWith(report: Report, outcome: Outcome): CheckId[] {
  return report.checks.filter((check) => check.outcome === outcome).map(({ id }) => id);
}
