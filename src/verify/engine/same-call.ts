/**
 * Do two nested tool spans stand for one call? The framework's span, the MCP client's and the MCP server's do.
 *
 * @module
 */
import type { NotableSpan } from "./span-record.ts";

/** True when `inner`, somewhere below `outer` with no agent between, repeats the same call. */
export function sameCall(inner: NotableSpan, outer: NotableSpan): boolean {
  const [a, b] = [inner.facts, outer.facts];
  if (a.callId !== undefined && b.callId !== undefined) return a.callId === b.callId;
  if (a.toolName !== undefined && b.toolName !== undefined) return sameTool(a.toolName, b.toolName);
  // One of them hides its tool's name; only an MCP span is known to repeat the call above it.
  return a.repeats;
}

/** True when two names are one tool: frameworks put a server's or a namespace's name before it. */
export function sameTool(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.endsWith(`__${short}`) || long.endsWith(`.${short}`);
}
