/**
 * Labels as a test expects them, compared and shown.
 *
 * @module
 */
import { type Labels, SPAN_ATTRIBUTES } from "../../attributes/registry.ts";
import { hasShape } from "../../attributes/shapes.ts";
import { labelsOf } from "../recording/span-queries.ts";
import type { RecordedSpan } from "../recording/span-types.ts";

/** What `expect.any(...)` and its relatives are. */
export interface AsymmetricMatcher {
  /** `true` when the label's value will do; the value is `undefined` where the span has no such label. */
  asymmetricMatch(value: unknown): boolean;
}

/**
 * Labels by name, each with its value, with `expect.any(...)` or a relative, or with `undefined` where it must not be
 * there. Labels that are not named may have any value.
 */
export type ExpectedLabels = {
  readonly [Name in keyof Labels]?: Labels[Name] | AsymmetricMatcher | undefined;
};

/** True when the span has every one of the labels. */
export function hasLabels(span: RecordedSpan, expected: ExpectedLabels): boolean {
  return Object.entries(expected).every(([name, value]) => fits(span.attributes[name], value));
}

function fits(actual: unknown, expected: unknown): boolean {
  const { asymmetricMatch } = (expected ?? {}) as Partial<AsymmetricMatcher>;
  return typeof asymmetricMatch === "function"
    ? asymmetricMatch.call(expected, actual)
    : Object.is(actual, expected);
}

/**
 * The labels of a span as they may be shown: a value that has not the form of its label could be anything, content
 * too, and so could a name that is not in the registry.
 */
export function shownLabels(span: RecordedSpan): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(labelsOf(span))) {
    const row = Object.hasOwn(SPAN_ATTRIBUTES, name) ? SPAN_ATTRIBUTES[name as keyof Labels] : undefined;
    if (row !== undefined) shown[name] = hasShape(row.shape, value) ? value : "(a value of the wrong form)";
  }
  return shown;
}

/** One line for each expected label that the span does not have. */
export function differingLines(span: RecordedSpan, expected: ExpectedLabels): string[] {
  const shown = shownLabels(span);
  return Object.entries(expected)
    .filter(([name, value]) => !fits(span.attributes[name], value))
    .map(([name, value]) => `${name}: ${show(shown[name])}, expected ${show(value)}`);
}

/** Expected labels as the end of a sentence. */
export function describeLabels(expected: ExpectedLabels): string {
  const labels = Object.entries(expected).map(([name, value]) => `${name} ${show(value)}`);
  return labels.length === 0 ? "" : ` with ${labels.join(", ")}`;
}

function show(value: unknown): string {
  if (value === undefined) return "not there";
  return typeof value === "object" ? String(value) : JSON.stringify(value);
}
