/**
 * What is remembered of a span once its attributes are gone: where it hangs in the tree, and, where a check depends on
 * it, a handful of facts. Millions of spans pass through; a few hundred bytes each is all that may stay.
 *
 * @module
 */
import type { SpanRole } from "../../attributes/conventions.ts";
import type { CheckId } from "../checks/check-id.ts";
import type { Comparison } from "../evidence/fingerprints.ts";
import type { LabelText } from "../evidence/label-texts.ts";
import type { ReadLabels } from "../evidence/labels.ts";
import type { SpanReference } from "../report.ts";

/** A reference to a span that also says where it belongs in time, in milliseconds since 1970. */
export interface SpanAnchor extends SpanReference {
  readonly start: number;
}

/** What a check says about one span while the span is there; counted when its trace is complete. */
export interface SpanVerdict {
  readonly check: CheckId;
  readonly outcome: "pass" | "fail" | "unknown";
  readonly reason: string;
  readonly attribute?: string | undefined;
  readonly observed?: string | undefined;
  readonly expected?: string | undefined;
}

/** Facts about a span that is a tool call, an agent, labelled, or shaped like one of these. */
export interface SpanRecordFacts {
  readonly role: SpanRole | undefined;
  readonly convention: string | undefined;
  /** Name of the instrumentation scope. */
  readonly scope: string | undefined;
  readonly toolName: string | undefined;
  readonly callId: string | undefined;
  readonly agentName: string | undefined;
  /** The instrumentation says that another agent handed over to this one. */
  readonly delegated: boolean;
  /** A workflow groups agents; it does not delegate to them. */
  readonly workflow: boolean;
  /** The span of an MCP client or server, which repeats the framework's own. */
  readonly repeats: boolean;
  readonly start: number;
  readonly end: number | undefined;
  readonly notRun: boolean;
  readonly labels: ReadLabels | undefined;
  readonly droppedAttributes: boolean;
  readonly policies: number;
  readonly texts: readonly LabelText[];
  readonly input: Comparison;
  readonly output: Comparison;
  /** Fingerprint of the captured arguments. */
  readonly capturedInputFp: string | undefined;
  readonly verdicts: readonly SpanVerdict[];
  readonly source: string | undefined;
  readonly line: number | undefined;
}

/** A span that is remembered. */
export interface SpanRecord {
  readonly id: string;
  readonly parentId: string | undefined;
  /** Shortened, without control characters. */
  readonly name: string;
  readonly failed: boolean;
  /** Missing for a span that no check asks about; it still links others to their ancestors. */
  readonly facts: SpanRecordFacts | undefined;
}

/** A span that some check asks about. */
export interface NotableSpan extends SpanRecord {
  readonly facts: SpanRecordFacts;
}

/** True for a span that some check asks about. */
export function isNotable(record: SpanRecord): record is NotableSpan {
  return record.facts !== undefined;
}

/** Earlier spans first; the same order whatever order they came in. */
export function byStart(a: SpanAnchor, b: SpanAnchor): number {
  return a.start - b.start || compareText(a.traceId, b.traceId) || compareText(a.spanId, b.spanId);
}

/** Order of code units. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
