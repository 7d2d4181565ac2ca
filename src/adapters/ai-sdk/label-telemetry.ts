/**
 * A telemetry integration of AI SDK 7 that labels tool calls from the outside. No event carries the span: it is the active
 * one in `executeTool`, of an integration that was registered before the OpenTelemetry one, and still records when that
 * integration's `onToolExecutionEnd` is called.
 *
 * @module
 */
import { type Context, context } from "@opentelemetry/api";
import { report, reportLoss } from "../../labels/diagnostics.ts";
import type { CallObserver } from "../../tool/observe-result.ts";
import { contextWithSharedCall, newSharedCall } from "../../tool/shared-call.ts";
import { beginToolCall } from "../../tool/tool-call.ts";
import type { PreparedTool } from "../../tool/tool-definition.ts";
import { type AiToolDefinition, prepareAiTool } from "./label-tools.ts";

/** A call as the SDK shows it. All of it is read as if it might not be there. */
interface ToolEvent {
  readonly callId?: unknown;
  readonly toolCall?: {
    readonly toolName?: unknown;
    readonly toolCallId?: unknown;
    readonly input?: unknown;
  };
  readonly messages?: unknown;
  readonly recordInputs?: unknown;
  readonly recordOutputs?: unknown;
  readonly toolOutput?: { readonly type?: unknown; readonly output?: unknown };
}

/** A telemetry integration of AI SDK 7. */
export interface LabelTelemetry {
  /** Called by the SDK around each tool call. */
  executeTool<Result>(event: { readonly execute: () => PromiseLike<Result> }): PromiseLike<Result>;
  /** Called by the SDK when a tool call has ended. */
  onToolExecutionEnd(event: object): void;
}

interface OpenCall {
  readonly context: Context;
  failed(error: unknown): void;
  ended(event: ToolEvent): void;
}

/** Calls whose end is waited for; the oldest have surely been lost. */
const MAX_OPEN_CALLS = 10_000;

/**
 * Labels every tool call of AI SDK 7 without wrapping any tool, also of tools that come at run time (MCP). Register it
 * **before** the OpenTelemetry integration: only then does it run inside the tool's span.
 *
 * A tool that is wrapped too is labelled once, by its wrapper. What the telemetry options `recordInputs: false` and
 * `recordOutputs: false` hide is hidden from integrations too, and its fingerprint is left out.
 *
 * @param definitions what is declared about tools, by name; a tool without a definition is labelled too
 * @throws TypeError or RangeError on a wrong definition
 * @example
 * ```ts
 * import { labelTelemetry } from "agent-reliability-otel-labels/ai-sdk";
 *
 * declare function registerTelemetry(...integrations: object[]): void; // from "ai"
 * declare class OpenTelemetry {} // from "@ai-sdk/otel"
 *
 * registerTelemetry(labelTelemetry({ search_flights: { sideEffect: "read" } }), new OpenTelemetry());
 * ```
 */
export function labelTelemetry(definitions: Readonly<Record<string, AiToolDefinition>> = {}): LabelTelemetry {
  const prepared = new Map(
    Object.entries(definitions).map(([name, definition]) => [name, prepareAiTool(name, definition)]),
  );
  /** `undefined` where one answer of the model gave an id twice, so that the ends cannot be told apart. */
  const open = new Map<string, OpenCall | undefined>();
  return {
    executeTool({ execute, ...event }) {
      const call = beginCall(prepared, event);
      if (call === undefined) return execute();
      const key = keyOf(event);
      if (open.has(key)) open.set(key, undefined);
      else {
        const [oldest] = open.size < MAX_OPEN_CALLS ? [] : open.keys();
        if (oldest !== undefined) open.delete(oldest);
        open.set(key, call);
      }
      return context.with(call.context, execute).then(undefined, (error: unknown) => {
        // Here, not from the event of the end: `recordOutputs: false` empties that.
        call.failed(error);
        throw error;
      });
    },
    onToolExecutionEnd(event) {
      const key = keyOf(event);
      const call = open.get(key);
      open.delete(key);
      call?.ended(event);
    },
  };
}

/** A run of the SDK and a call in it. */
function keyOf({ callId, toolCall }: ToolEvent): string {
  const text = (id: unknown) => (typeof id === "string" ? id : "");
  return `${text(callId)} ${text(toolCall?.toolCallId)}`;
}

function beginCall(prepared: ReadonlyMap<string, PreparedTool>, event: ToolEvent): OpenCall | undefined {
  const { toolName: name, toolCallId, input } = event.toolCall ?? {};
  if (typeof name !== "string" || name === "" || typeof toolCallId !== "string") {
    report("ai-sdk event", "", () => "a tool call of the AI SDK was not labelled: it has no name or no id");
    return undefined;
  }
  const declared = prepared.get(name) ?? prepareAiTool(name);
  const tool = event.recordInputs === false ? { ...declared, args: hiddenArguments } : declared;
  const shared = newSharedCall();
  const scoped = contextWithSharedCall(context.active(), shared);
  const observer: CallObserver | undefined = context.with(scoped, () =>
    beginToolCall(tool, [input, { toolCallId, messages: event.messages }]),
  );
  return {
    context: scoped,
    failed: (error) => {
      if (!shared.takenOver) observer?.failed(error);
    },
    ended: ({ toolOutput, recordOutputs }) => {
      if (shared.takenOver || toolOutput?.type !== "tool-result") return;
      if (recordOutputs !== false) observer?.returned(toolOutput.output);
      else reportLoss("trustabl.tool.output_fp", "recordOutputs", "recordOutputs: false hides the result");
    },
  };
}

// The event shows no arguments, and a fingerprint of nothing would make all calls look the same.
function hiddenArguments(): never {
  throw new Error("recordInputs: false hides the arguments");
}
