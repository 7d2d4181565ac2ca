/**
 * Marking a delegated agent's span. Inside the tool that delegates, that span does not exist yet, and when it does, no code
 * of the application sees it: so the id waits in the OpenTelemetry context, and the span tracker writes it on the first
 * agent's span that starts there. An agent's span that starts directly below a tool's needs no word from anybody.
 *
 * @module
 */
import { type Context, context, createContextKey, type Span, trace } from "@opentelemetry/api";
import { recogniseSpan } from "../attributes/conventions.ts";
import { randomId } from "../attributes/hex.ts";
import { report } from "../labels/diagnostics.ts";
import { markHandoff } from "../labels/run-span.ts";
import { factsOf, idsOf, isUsable, type LabelSpan } from "../labels/span.ts";
import { enterEachStep } from "../run/generator-steps.ts";
import { toolSpanSources } from "../tool/tool-span-source.ts";

interface Delegation {
  readonly handoffId: string;
  /** The span that was active around the delegation. */
  readonly around: Span | undefined;
  marked: boolean;
}

const DELEGATION = createContextKey("agent-reliability-otel-labels.delegation");

/**
 * Calls `fn`, which starts another agent, and returns what it returns. The span tracker writes `trustabl.handoff_id` on the
 * first agent's span that starts in it; an agent that the delegated one delegates to needs a `withHandoff` of its own.
 *
 * @param handoffId 1 to 128 characters without control characters, different for each delegation. Default: 8 random bytes as
 *   hexadecimal characters
 * @example
 * ```ts
 * import { withHandoff } from "agent-reliability-otel-labels/tracker";
 *
 * declare const researcher: { generate(options: { prompt: string }): Promise<{ text: string }> };
 *
 * const research = async ({ question }: { question: string }) =>
 *   (await withHandoff(() => researcher.generate({ prompt: question }))).text;
 * ```
 */
export function withHandoff<Result>(fn: () => Result, handoffId: string = randomId(8)): Result {
  const current = context.active();
  const around = trace.getSpan(current);
  const delegation: Delegation = { handoffId, around, marked: false };
  if (toolSpanSources().length === 0 && isUsable(around)) {
    report(
      "no tracker",
      "",
      () =>
        "withHandoff() was called without a span tracker, so trustabl.handoff_id was left out; add a ToolSpanTracker to the tracer provider",
    );
  }
  const result = context.with(current.setValue(DELEGATION, delegation), fn);
  return enterEachStep(result, (reader) => reader.setValue(DELEGATION, delegation));
}

/** Writes the waiting id on a span that starts, if it is the delegated agent's. Never throws. */
export function markDelegatedAgent(span: object, parentContext: unknown): void {
  try {
    const parent = parentContext as Context | undefined;
    const delegation = parent?.getValue(DELEGATION) as Delegation | undefined;
    const waits = delegation !== undefined && !delegation.marked;
    if (!waits && !isBelowTool(parent, delegation)) return;
    if (recogniseSpan(factsOf(span))?.role !== "agent") return;
    if (waits) delegation.marked = true;
    // The span's own id where nobody gave one: a tool can call several agents.
    const handoffId = waits ? delegation.handoffId : idsOf(span)?.spanId;
    if (handoffId !== undefined) markHandoff(span as LabelSpan, handoffId);
  } catch {
    report(
      "handoff",
      "",
      () =>
        "trustabl.handoff_id was left out: the id has to be 1 to 128 characters without control characters",
    );
  }
}

// Some frameworks start an agent's span from a context that they kept, without what waits in the active one. Where the
// tool itself said which agent it delegates to, that counts.
function isBelowTool(parent: Context | undefined, delegation: Delegation | undefined): boolean {
  const above = parent === undefined ? undefined : trace.getSpan(parent);
  if (above === undefined || above === delegation?.around || !isUsable(above)) return false;
  return recogniseSpan(factsOf(above))?.role === "tool";
}
