/**
 * Did a tool call fail? The status alone does not say: frameworks set OK after an error, leave a throwing tool
 * without a status, and return failures as results.
 *
 * @module
 */
import type { SpanView } from "../span-view.ts";

// Attributes that say "failed" by a value, with the instrumentation that writes them.
const FAILED_BY_VALUE: readonly (readonly [name: string, value: string])[] = [
  ["gen_ai.tool.status", "error"], // Strands
  ["langfuse.observation.level", "ERROR"],
  ["genkit:state", "error"],
];

// MCP, its instrumentations, and LangChain's tool message. Results are searched as text: most are long, few fail.
const RETURNED_FAILURE = /"(?:isError|is_error)"\s*:\s*true|"status"\s*:\s*"error"/;
const SEARCHED_LENGTH = 65_536;

/**
 * True when the span shows a failure: an error status, an exception event, `error.type`, or a result that says so.
 *
 * @param result the captured result, where it is text
 */
export function showsFailure(view: SpanView, result: unknown): boolean {
  if (view.status === "error") return true;
  if (view.events.some((event) => event.name === "exception")) return true;
  const errorType = view.attributes["error.type"];
  if (typeof errorType === "string" && errorType !== "") return true;
  if (isBareAdkCall(view)) return true;
  if (FAILED_BY_VALUE.some(([name, value]) => view.attributes[name] === value)) return true;
  return typeof result === "string" && RETURNED_FAILURE.test(result.slice(0, SEARCHED_LENGTH));
}

// ADK writes everything about a call after it succeeded; one that failed has its name and no status.
const isBareAdkCall = (view: SpanView): boolean =>
  view.scope === "gcp.vertex.agent" &&
  view.name.startsWith("execute_tool ") &&
  view.attributes["gen_ai.operation.name"] === undefined;
