/**
 * The values that captured content can stand for. A fingerprint that equals the one of any of them is true.
 *
 * @module
 */

import { isObject, memberOf, parseJson } from "../json-data.ts";
import type { Captured } from "./captured.ts";

/** The name of the extra argument that carries a claim. It is taken away before the tool function is called. */
const CLAIM = "claim";

/** Values that the captured arguments can stand for, likeliest first. */
export function* argumentValues(captured: Captured): Generator<unknown> {
  for (const value of wrapped(captured, unwrapArguments)) {
    yield value;
    if (isObject(value) && Object.hasOwn(value, CLAIM)) yield withoutClaim(value);
  }
}

/** Values that the captured result can stand for, likeliest first. */
export function* resultValues(captured: Captured, failed: boolean): Generator<unknown> {
  yield* wrapped(captured, unwrapResult);
  // A call that failed has no result, whatever the framework told the model instead.
  if (failed) yield null;
}

/** True when the text was JSON once and has been cut, or has a mark or a length that cutting leaves. */
export function looksTruncated({ content, value }: Captured): boolean {
  if (typeof content !== "string") return false;
  if (/(?:\.\.\.|…|\[truncated\]|<truncated>)["'\]}]*$/i.test(content.slice(-64))) return true;
  if (/^\s*[{["]/.test(content)) return value === undefined;
  return content.length >= 32 && (Number.isInteger(Math.log2(content.length)) || content.length % 50 === 0);
}

function* wrapped(
  { content, value }: Captured,
  unwrap: (value: unknown) => readonly unknown[],
): Generator<unknown> {
  if (value !== undefined) {
    yield value;
    yield* unwrap(value);
  }
  if (typeof content === "string") yield content;
}

// OpenLLMetry: {"tool_name", "arguments"} for MCP, {"args": ["<json>"]} for LangChain.
function unwrapArguments(value: unknown): readonly unknown[] {
  const inner = memberOf(value, "arguments");
  if (inner !== undefined) return [inner];
  const args = memberOf(value, "args");
  if (!Array.isArray(args) || args.length !== 1) return [];
  const [only] = args as readonly unknown[];
  return typeof only === "string" ? [parseJson(only) ?? only] : [only];
}

// {"output": ...} and LangChain's serialised tool message; {"result"} of OpenLLMetry's MCP spans; a text part.
function unwrapResult(value: unknown): readonly unknown[] {
  const values: unknown[] = [];
  const message = memberOf(value, "output") ?? value;
  const content = memberOf(memberOf(message, "kwargs"), "content");
  for (const candidate of [memberOf(value, "output"), content, memberOf(value, "result"), textPart(value)]) {
    if (candidate === undefined) continue;
    if (typeof candidate === "string") values.push(parseJson(candidate) ?? candidate);
    values.push(candidate);
  }
  return values;
}

const textPart = (value: unknown): unknown =>
  memberOf(value, "type") === "text" ? memberOf(value, "text") : undefined;

function withoutClaim(value: Record<string, unknown>): Record<string, unknown> {
  const rest: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(value)) if (name !== CLAIM) rest[name] = value[name];
  return rest;
}
