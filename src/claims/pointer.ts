/**
 * Following a JSON pointer into arguments that a model wrote.
 *
 * @module
 */
import { tokensOf } from "../contracts/json-pointer.ts";

/** The own member that `pointer` leads to; `undefined` when there is none. Never reads a prototype's. */
export function valueAt(value: unknown, pointer: string): unknown {
  let current = value;
  const tokens = tokensOf(pointer);
  if (tokens === undefined) return undefined;
  for (const token of tokens) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, token)) return undefined;
    current = (current as Record<string, unknown>)[token];
  }
  return current;
}
