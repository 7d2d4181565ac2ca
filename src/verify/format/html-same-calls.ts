/**
 * Calls of one run that are the same call: same tool, same arguments.
 *
 * @module
 */
import type { TreeSpan } from "../report.ts";

/** A call that was made more than once. */
export interface SameCall {
  /** A, B, ... Z, A2, ...: colours alone do not tell everybody apart. */
  readonly letter: string;
  /** Number of its colour, from 0. */
  readonly colour: number;
  readonly times: number;
}

/** How many colours the page has. */
export const COLOURS = 8;

/** The repeated calls of a tree; spans that were called once are not in it. */
export function sameCalls(tree: readonly TreeSpan[]): ReadonlyMap<TreeSpan, SameCall> {
  const calls = new Map<string, TreeSpan[]>();
  for (const span of tree) {
    const fingerprint = span.labels["trustabl.tool.input_fp"];
    if (span.role !== "tool" || fingerprint === undefined) continue;
    const key = JSON.stringify([span.toolName ?? span.span.name, fingerprint]);
    calls.set(key, [...(calls.get(key) ?? []), span]);
  }
  const repeated = [...calls.values()].filter((spans) => spans.length > 1);
  return new Map(
    repeated.flatMap((spans, index) => {
      const call: SameCall = { letter: letterOf(index), colour: index % COLOURS, times: spans.length };
      return spans.map((span) => [span, call] as const);
    }),
  );
}

function letterOf(index: number): string {
  const round = Math.floor(index / 26);
  return String.fromCharCode(65 + (index % 26)) + (round === 0 ? "" : String(round + 1));
}
