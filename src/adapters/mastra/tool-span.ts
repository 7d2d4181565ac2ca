/**
 * The span of a Mastra tool call. The bridge makes an OpenTelemetry span for each of Mastra's own spans, with the same id,
 * and makes it the active one. With an exporter instead of the bridge, OpenTelemetry spans are made only when all is over:
 * no live span can be labelled, and the active one is the application's.
 *
 * @module
 */
import { trace } from "@opentelemetry/api";
import { recogniseSpan } from "../../attributes/conventions.ts";
import { report } from "../../labels/diagnostics.ts";
import { factsOf, idsOf, type LabelSpan } from "../../labels/span.ts";
import type { ToolCall } from "../../tool/tool-definition.ts";

/** What Mastra hands to a tool as its second parameter. All of it is read as if it might not be there. */
export interface ToolContext {
  readonly toolCallId?: unknown;
  readonly agent?: { readonly toolCallId?: unknown };
  readonly tracingContext?: {
    readonly currentSpan?: { readonly id?: unknown; readonly type?: unknown; readonly isValid?: unknown };
  };
}

/** Stands for a span that is out of reach, so that no other is looked for. */
const OUT_OF_REACH: LabelSpan = {
  isRecording: () => false,
  setAttribute: () => undefined,
  addEvent: () => undefined,
};

/** The call's span where Mastra says which it is; `undefined` where it says nothing, as with its telemetry off. */
export function spanOfCall({ parameters }: ToolCall): LabelSpan | undefined {
  const current = (parameters[1] as ToolContext | null | undefined)?.tracingContext?.currentSpan;
  if (current === undefined || current === null || current.isValid === false) return undefined;
  // A tool that is a step of a workflow has only the step's span.
  if (current.type !== "tool_call" && current.type !== "mcp_tool_call") return undefined;
  const active = trace.getActiveSpan();
  return active !== undefined && idsOf(active)?.spanId === current.id ? active : outOfReach();
}

/** The active span, if it is the bridge's for an agent that is called as a tool. */
export function spanOfDelegation(): { readonly span: LabelSpan; readonly name: string | undefined } {
  const active = trace.getActiveSpan();
  const recognised = active === undefined ? undefined : recogniseSpan(factsOf(active));
  const name = recognised?.convention.id === "mastra" ? recognised.toolName : undefined;
  const found = active !== undefined && name?.startsWith("agent-") === true;
  return found ? { span: active, name } : { span: outOfReach(), name: undefined };
}

/** The call id that the model gave; tools of the AI SDK get it where that SDK puts it. */
export function callIdOf(_input: unknown, context: unknown): string | undefined {
  const { agent, toolCallId } = (context ?? {}) as ToolContext;
  const id = agent?.toolCallId ?? toolCallId;
  return typeof id === "string" ? id : undefined;
}

function outOfReach(): LabelSpan {
  report(
    "mastra bridge",
    "",
    () =>
      "tool calls of Mastra were not labelled: their spans are not live while a tool runs; give Mastra's observability an OtelBridge (@mastra/otel-bridge), an exporter is not enough",
  );
  return OUT_OF_REACH;
}
