/**
 * A tool's span with certain labels, as a matcher.
 *
 * @module
 */
import { cleanText } from "../../verify/clean-text.ts";
import { toolNameOf } from "../recording/span-queries.ts";
import type { RecordedSpan } from "../recording/span-types.ts";
import { spanTitle } from "../verdict/judge.ts";
import { describeLabels, differingLines, type ExpectedLabels, hasLabels } from "./expected-labels.ts";
import { listLines } from "./lines.ts";
import { aboutSpans, type MatcherAnswer, type MatcherContext } from "./matcher.ts";

/**
 * Passes when there is a span of a call of this tool with these labels. `undefined` stands for a label that must not
 * be there.
 */
export function toHaveToolSpan(
  this: MatcherContext,
  received: unknown,
  name: string,
  labels: ExpectedLabels = {},
): MatcherAnswer {
  const wanted = `span of the tool "${name}"${describeLabels(labels)}`;
  return aboutSpans(received, (spans) => {
    const calls = spans.filter((span) => toolNameOf(span) === name);
    const found = calls.find((span) => hasLabels(span, labels));
    return {
      pass: found !== undefined,
      message: () =>
        found === undefined
          ? `expected a ${wanted}\n${calls.length === 0 ? otherTools(spans) : differences(calls, labels)}`
          : `expected no ${wanted}\nfound ${spanTitle(found)}`,
    };
  });
}

function differences(calls: readonly RecordedSpan[], labels: ExpectedLabels): string {
  return listLines(calls, (span) => [spanTitle(span), ...differingLines(span, labels)].join("\n"));
}

function otherTools(spans: readonly RecordedSpan[]): string {
  const names = new Set(spans.map(toolNameOf).filter((name) => name !== undefined));
  if (names.size === 0) return `found no tool's span among the ${spans.length} finished spans`;
  return `found spans of these tools:\n${listLines([...names], (name) => cleanText(name, 80) || "(without a name)")}`;
}
