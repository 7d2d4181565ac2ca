/**
 * A call that begins before its span does: some frameworks start a tool's span some turns late. Its labels wait in the sources
 * that may come to know the span, until the call ends.
 *
 * @module
 */
import type { FingerprintKey } from "../fingerprint/index.ts";
import type { LabelSpan } from "../labels/span.ts";
import {
  type ToolEndLabels,
  type ToolStartLabels,
  writeToolEnd,
  writeToolStart,
} from "../labels/tool-span.ts";
import { endOf, writeEnd } from "./call-end.ts";
import { reportNoSpan } from "./call-reports.ts";
import type { LocatedToolSpan } from "./find-tool-span.ts";
import type { CallObserver } from "./observe-result.ts";
import type { PreparedTool } from "./tool-definition.ts";
import { toolSpanSources } from "./tool-span-source.ts";

/**
 * Turns of the microtask queue that labels still wait for their span when the call has ended: a framework that tells its
 * listeners one after the other starts the span some turns late, and a tool may wait for nothing at all. No timers: under a
 * test's fake ones nothing would ever be dropped.
 */
const MAX_TURNS_AFTER_END = 100;

/** Lets the labels wait. @returns `undefined` where no source can know of the span */
export function waitForSpan(
  tool: PreparedTool,
  key: FingerprintKey | undefined,
  labels: ToolStartLabels,
  located: LocatedToolSpan & { readonly span: undefined },
): CallObserver | undefined {
  const { query } = located;
  if (query === undefined) return undefined;
  let late: LabelSpan | undefined;
  let kept: ToolEndLabels | undefined;
  const onSpan = (span: LabelSpan) => {
    late = span;
    writeToolStart(span, labels);
    if (kept !== undefined) writeToolEnd(span, kept);
  };
  const waiting = toolSpanSources().flatMap((source) => {
    const cancel = source.wait(query, onSpan);
    return cancel === undefined ? [] : [{ cancel, exact: source.waitsExactly === true }];
  });
  if (waiting.length === 0) {
    reportNoSpan(tool.name, located);
    return undefined;
  }
  return endOf(tool, key, (labelsAtEnd) => {
    for (const { cancel, exact } of waiting) if (!exact || late !== undefined) cancel();
    if (late !== undefined) {
      writeEnd(tool, late, labelsAtEnd);
      return;
    }
    const still = waiting.filter(({ exact }) => exact);
    if (still.length === 0) {
      reportNoSpan(tool.name, located);
      return;
    }
    kept = labelsAtEnd();
    void afterTurns(MAX_TURNS_AFTER_END, () => late !== undefined).then(() => {
      for (const { cancel } of still) cancel();
      if (late === undefined) reportNoSpan(tool.name, located);
    });
  });
}

async function afterTurns(turns: number, isEnough: () => boolean): Promise<void> {
  for (let turn = 0; turn < turns && !isEnough(); turn += 1) await undefined;
}
