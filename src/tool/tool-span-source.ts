/**
 * Where live tool spans can be found when the tool's span is not the current one. The span tracker is such a source;
 * this file is how the wrapper knows of it without a word in any tool's definition.
 *
 * @module
 */
import type { LabelSpan } from "../labels/span.ts";
import type { SharedCall } from "./shared-call.ts";

/** What a source is asked with. */
export interface ToolSpanQuery {
  readonly name: string;
  readonly callId: string | undefined;
  /** The traces that the call may belong to: the active span's and the run's. Empty when neither is known. */
  readonly traceIds: readonly string[];
  /** The active span's id, to tell apart two live spans of one call id. */
  readonly activeSpanId: string | undefined;
}

/** Knows live tool spans. No method throws. */
export interface ToolSpanSource {
  /** The live span of the call, or `undefined` when there is none or more than one could be meant. */
  find(query: ToolSpanQuery): LabelSpan | undefined;
  /**
   * Calls `onSpan` once when the call's span starts later.
   *
   * @returns ends the waiting; call it when the call ends. `undefined` when the source cannot wait for this call
   */
  wait(query: ToolSpanQuery, onSpan: (span: LabelSpan) => void): (() => void) | undefined;
  /**
   * Whether the span that it waits for can be no other call's, so that labels may wait a little longer than the call: by its
   * id a call is known only as long as it runs, since models use an id again.
   */
  readonly waitsExactly?: boolean;
  /**
   * The place of the call of this tool that the running code is in, where a hook of the framework has begun it and could
   * not put the place into the context.
   */
  sharedCall?(name: string): SharedCall | undefined;
}

// On `globalThis`, under a registered symbol, since a tracker and a wrapper may come from two installed copies of this
// package. A registry per definition or per run was rejected: it would be one more thing to pass everywhere.
const SOURCES = Symbol.for("agent-reliability-otel-labels.tool-span-sources.1");

/** The registered sources, in the order in which they came. */
export function toolSpanSources(): readonly ToolSpanSource[] {
  return ((globalThis as Record<symbol, unknown>)[SOURCES] as ToolSpanSource[] | undefined) ?? [];
}

/** Makes a source known to every wrapped tool of the process. */
export function addToolSpanSource(source: ToolSpanSource): void {
  (globalThis as Record<symbol, unknown>)[SOURCES] = [...toolSpanSources(), source];
}

/** Forgets a source. */
export function removeToolSpanSource(source: ToolSpanSource): void {
  (globalThis as Record<symbol, unknown>)[SOURCES] = toolSpanSources().filter((other) => other !== source);
}
