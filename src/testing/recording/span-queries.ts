/**
 * Finding what matters among recorded spans.
 *
 * @module
 */
import { type RecognisedSpan, recogniseSpan } from "../../attributes/conventions.ts";
import { factsOf } from "../../labels/span.ts";
import { TestingError } from "../testing-error.ts";
import type { RecordedSpan } from "./span-types.ts";

const PREFIX = "trustabl.";

const recognised = (span: RecordedSpan): RecognisedSpan | undefined => recogniseSpan(factsOf(span));

/** The tool's name where the span is a tool's; a span that does not show one has an empty name. */
export function toolNameOf(span: RecordedSpan): string | undefined {
  const found = recognised(span);
  return found?.role === "tool" ? (found.toolName ?? "") : undefined;
}

/** The spans of tool calls: of all tools, or of one. */
export function toolSpansOf(spans: readonly RecordedSpan[], name?: string): RecordedSpan[] {
  return spans.filter((span) => {
    const toolName = toolNameOf(span);
    return toolName !== undefined && (name === undefined || toolName === name);
  });
}

/** The spans that runs were started on: those with a run id that are not a tool's. */
export function runRootsOf(spans: readonly RecordedSpan[]): RecordedSpan[] {
  return spans.filter(
    (span) => span.attributes["trustabl.run_id"] !== undefined && toolNameOf(span) === undefined,
  );
}

/**
 * The one span that a run was started on.
 *
 * @throws TestingError `root_not_certain`
 */
export function onlyRunRootOf(spans: readonly RecordedSpan[]): RecordedSpan {
  const roots = runRootsOf(spans);
  const [root] = roots;
  if (root === undefined || roots.length > 1) {
    throw new TestingError(
      "root_not_certain",
      root === undefined
        ? "No span but a tool's has a run id: is the agent's run inside withRun()?"
        : `It has ${roots.length}: call clear() between runs, or look among spans().`,
    );
  }
  return root;
}

/** True when labels belong on the span or are on it: an agent's, a tool's, or one that has a label. */
export function mattersToLabels(span: RecordedSpan): boolean {
  return recognised(span) !== undefined || hasLabel(span);
}

/** True when the span has a `trustabl.*` attribute or event. */
export function hasLabel(span: RecordedSpan): boolean {
  return (
    Object.keys(span.attributes).some((name) => name.startsWith(PREFIX)) ||
    span.events.some((event) => event.name.startsWith(PREFIX))
  );
}

/** The labels of a span, by name. */
export function labelsOf(span: RecordedSpan): Record<string, unknown> {
  return Object.fromEntries(Object.entries(span.attributes).filter(([name]) => name.startsWith(PREFIX)));
}
