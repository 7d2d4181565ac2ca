/**
 * A tool call as the SDK tells of it.
 *
 * @module
 */
import type { CallObserver } from "../../tool/observe-result.ts";
import type { SdkSpan } from "./sdk-span.ts";

/** What the model asked for. */
interface ToolCallItem {
  readonly type?: unknown;
  readonly callId?: unknown;
  readonly arguments?: unknown;
}

/** What the SDK hands over beside the arguments, to a tool and to hooks. */
export interface ToolCallDetails {
  readonly toolCall?: ToolCallItem;
}

// The model's arguments are text. What is no JSON has no fingerprint: the SDK also writes "" in the place of arguments that
// it hides, and these are not all the same call.
export function argumentsOf(text: unknown): unknown {
  return JSON.parse(text as string);
}

export function callIdOf(call: ToolCallItem | undefined): string | undefined {
  return typeof call?.callId === "string" ? call.callId : undefined;
}

export function nameOf(tool: unknown): string {
  const name = (tool as { name?: unknown } | null | undefined)?.name;
  return typeof name === "string" ? name : "";
}

/** Tells how a call ended of which the model got `result`: where the tool threw that is a text, and the SDK's span knows. */
export function tellEnd(observer: CallObserver, call: SdkSpan, result: unknown): void {
  if (call.error === undefined || call.error === null) observer.returned(result);
  else observer.failed(call.error);
}
