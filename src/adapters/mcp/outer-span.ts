/**
 * Whether a call is labelled on a span around it already. An agent's framework has a tool span of its own for the same call;
 * a call that both it and the client labelled would count twice.
 *
 * @module
 */
import { trace } from "@opentelemetry/api";
import { recogniseSpan } from "../../attributes/conventions.ts";
import { factsOf, isUsable, type LabelSpan, readAttributes } from "../../labels/span.ts";
import { isQualified } from "../../tool/find-tool-span.ts";

/** True when the active span stands for a call of this tool, and somebody labelled it. */
export function isLabelledAround(name: string): boolean {
  const active = trace.getActiveSpan();
  if (!isUsable(active) || !isLabelled(active)) return false;
  const recognised = recogniseSpan(factsOf(active));
  const shown = recognised?.role === "tool" ? recognised.toolName : undefined;
  // A longer name may be another tool's. To leave one call out is better than to count all of them twice.
  return shown !== undefined && (shown === name || isQualified(shown, name));
}

/** True when labels of ours stand on the span. Spans that do not show their attributes have none. */
export function isLabelled(span: LabelSpan): boolean {
  return Object.keys(readAttributes(span) ?? {}).some((name) => name.startsWith("trustabl."));
}

/** Rows of the conventions whose spans stand for the call alone, and not for a function that a framework runs around it. */
const OF_THE_CALL = new Set(["mcp", "traceloop", "gen_ai"]);
/** The AI SDK 7 writes the general convention for its own functions. */
const AI_SDK_SCOPE = "gen_ai";

/** True when the span's result may be another than the call's: a function of the application stands between. */
export function isOfFunction(span: LabelSpan): boolean {
  const facts = factsOf(span);
  const id = recogniseSpan(facts)?.convention.id;
  return id === undefined || !OF_THE_CALL.has(id) || facts.scope === AI_SDK_SCOPE;
}
