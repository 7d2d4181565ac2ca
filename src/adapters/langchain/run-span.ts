/**
 * From a LangChain run to its span, through the map that an instrumentation's callback handler keeps. All of it belongs
 * to others and is only read: what is missing or has another shape is "not found".
 *
 * @module
 */
import { context, createContextKey } from "@opentelemetry/api";
import type { LabelSpan } from "../../labels/span.ts";

/** LangChain's manager of one run, as far as it is used. */
export interface RunManager {
  readonly runId?: unknown;
  readonly handlers?: unknown;
  getChild?(tag?: string): unknown;
}

/** Where each instrumentation's handler keeps a run's span, by the handler's name. November 2026. */
const SPAN_OF_RUN: ReadonlyMap<unknown, (handler: never, runId: string) => unknown> = new Map([
  // @arizeai/openinference-instrumentation-langchain 4
  ["OpenInferenceLangChainTracer", (handler: OpenInference, runId) => handler.runs?.[runId]?.span],
  // @traceloop/instrumentation-langchain 0.27
  ["traceloop_callback_handler", (handler: Traceloop, runId) => handler.spans?.get?.(runId)?.span],
  // @langfuse/langchain 5
  ["LangfuseCallbackHandler", (handler: Langfuse, runId) => handler.runMap?.get?.(runId)?.otelSpan],
] as [string, (handler: never, runId: string) => unknown][]);

interface OpenInference {
  readonly runs?: Readonly<Record<string, { readonly span?: unknown }>>;
}
interface Traceloop {
  readonly spans?: Pick<ReadonlyMap<string, { readonly span?: unknown }>, "get">;
}
interface Langfuse {
  readonly runMap?: Pick<ReadonlyMap<string, { readonly otelSpan?: unknown }>, "get">;
}

/** The span of a manager's run; of several instrumentations, the one that LangChain tells first. Never throws. */
export function findRunSpan(manager: RunManager | undefined): LabelSpan | undefined {
  const runId = runIdOf(manager);
  for (const handler of knownHandlers(manager)) {
    const span = spanOfRun(handler, runId);
    if (span !== undefined) return span;
  }
  return undefined;
}

/** The id of a manager's run. Never throws. */
export function runIdOf(manager: RunManager | undefined): string | undefined {
  try {
    return typeof manager?.runId === "string" ? manager.runId : undefined;
  } catch {
    return undefined;
  }
}

/** The span that a handler has for a run. Never throws. */
export function spanOfRun(handler: object, runId: string | undefined): LabelSpan | undefined {
  if (runId === undefined) return undefined;
  try {
    const span = SPAN_OF_RUN.get((handler as { name?: unknown }).name)?.(handler as never, runId);
    const isSpan = typeof (span as Partial<LabelSpan> | null | undefined)?.setAttribute === "function";
    return isSpan ? (span as LabelSpan) : undefined;
  } catch {
    return undefined;
  }
}

/** The handlers of a run that make spans. Never throws. */
export function knownHandlers(manager: RunManager | undefined): readonly object[] {
  try {
    const handlers = manager?.handlers;
    if (!Array.isArray(handlers)) return [];
    return handlers.filter((handler) => SPAN_OF_RUN.has((handler as { name?: unknown } | null)?.name));
  } catch {
    return [];
  }
}

/**
 * Turns of the microtask queue that are waited. LangChain's queue takes about ten per callback, one callback after the
 * other, so this is enough for a hundred calls at once. No timers: under a test's fake ones a tool would hang.
 */
const MAX_TURNS = 2_000;

/** Waits for `find` to find, for a bounded number of microtasks. */
export async function waitFor<Found>(find: () => Found | undefined): Promise<Found | undefined> {
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const found = find();
    if (found !== undefined) return found;
    await undefined;
  }
  return undefined;
}

/**
 * The span of a manager's run, waited for: by default LangChain tells its handlers of a run in the background.
 *
 * @returns `late` when a handler makes spans and has none for this run yet; `undefined` when none is to be expected
 */
export async function waitForRunSpan(
  manager: RunManager | undefined,
): Promise<LabelSpan | "late" | undefined> {
  if (knownHandlers(manager).length === 0 || isTracingSuppressed()) return undefined;
  return (await waitFor(() => findRunSpan(manager))) ?? "late";
}

// Under this key OpenTelemetry's `suppressTracing()` says that no spans are made; OpenInference then has no run either.
const SUPPRESS_TRACING = createContextKey("OpenTelemetry SDK Context Key SUPPRESS_TRACING");

function isTracingSuppressed(): boolean {
  return context.active().getValue(SUPPRESS_TRACING) === true;
}
