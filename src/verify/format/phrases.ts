/**
 * Words that several renderings share.
 *
 * @module
 */
import { cleanText } from "../clean-text.ts";
import type { Finding, NothingReason, Report, SpanReference } from "../report.ts";

const NOTHING: Readonly<Record<NothingReason, string>> = {
  "no-spans":
    "there are no spans: is the provider registered before the framework starts, and is the export flushed?",
  "no-tool-spans":
    "there are spans, but no tool span: is the framework's instrumentation on (AI SDK 7 needs @ai-sdk/otel and the telemetry option), and did the agent call a tool?",
  "no-labelled-spans":
    'there are tool spans, but no label on any span: are the tools wrapped, and is there one copy of @opentelemetry/api? Try "otel-labels doctor"',
  "nothing-certain": "no check could tell anything from these spans",
};

const NAME_LENGTH = 60;
const VALUE_LENGTH = 64;

/** Why there was nothing to check, and what to look at first; empty when there was something. */
export function nothingPhrase({ nothing, problems, skipped }: Report): string {
  if (nothing === undefined) return "";
  if (nothing !== "no-spans") return NOTHING[nothing];
  if (problems.some(({ level }) => level === "error")) {
    return "there are no spans; put right first what is said of the input";
  }
  return skipped.otherRuns > 0 ? "there are no spans of the run that was asked for" : NOTHING[nothing];
}

/** `1 span`, `2 spans`. */
export function countPhrase(count: number, word: string): string {
  return `${count.toLocaleString("en-US")} ${word}${count === 1 ? "" : "s"}`;
}

/** The beginning of an id or a fingerprint: enough to find it again. */
export function shortId(id: string): string {
  return cleanText(id.slice(0, 8), 8);
}

/** The span as people find it again: its name, the beginning of its id, file and line. */
export function spanPhrase(span: SpanReference): string {
  return [`${cleanText(span.name, NAME_LENGTH) || "(no name)"} ${shortId(span.spanId)}`, placePhrase(span)]
    .filter((part) => part !== "")
    .join(" ");
}

/** File and line, in parentheses; empty when there is none. */
export function placePhrase({
  source,
  line,
}: {
  source?: string | undefined;
  line?: number | undefined;
}): string {
  const place = [source === undefined ? undefined : cleanText(source, 80), line].filter(
    (part) => part !== undefined,
  );
  return place.length === 0 ? "" : `(${source === undefined ? "line " : ""}${place.join(":")})`;
}

/** What was there and what should have been. */
export function detailPhrase({ attribute, observed, expected, related }: Finding): string {
  const parts: string[] = [];
  const value = observed === undefined ? undefined : cleanText(observed, VALUE_LENGTH);
  if (attribute !== undefined) parts.push(value === undefined ? attribute : `${attribute} = ${value}`);
  else if (value !== undefined) parts.push(`found ${value}`);
  if (expected !== undefined) parts.push(`expected ${cleanText(expected, VALUE_LENGTH * 2)}`);
  if (related !== undefined) parts.push(`see ${spanPhrase(related)}`);
  return parts.join(", ");
}

/** One line on the whole. */
export function summaryPhrase(report: Report): string {
  const { examined } = report;
  const of = (outcome: string): number => report.checks.filter((check) => check.outcome === outcome).length;
  const counts = [
    [of("fail"), "failed"],
    [of("unknown"), "unknown"],
    [of("pass"), "passed"],
    [of("not-applicable"), "not applicable"],
  ] as const;
  const checks = counts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`])).join(", ");
  const seen = [
    countPhrase(examined.spans, "span"),
    countPhrase(examined.toolSpans, "tool call"),
    countPhrase(examined.runs, "run"),
  ].join(", ");
  return `${checks || "no checks"}; ${seen}`;
}

/** What was not looked at; empty when everything was. */
export function skippedPhrase({ skipped, incomplete }: Report): string {
  const parts = [
    [skipped.unreadable, "unreadable part"],
    [skipped.duplicates, "duplicate span"],
    [skipped.otherRuns, "span of other runs"],
    [skipped.otherSignals, "record of other signals"],
  ] as const;
  const left = parts.flatMap(([count, words]) => (count === 0 ? [] : [countOf(count, words)]));
  if (incomplete && skipped.unreadable === 0) left.push("spans that came too late");
  return left.length === 0 ? "" : `left out: ${left.join(", ")}`;
}

// The plural goes on the first noun: "2 spans of other runs".
function countOf(count: number, words: string): string {
  const [noun, ...rest] = words.split(/ (?=of )/);
  return [countPhrase(count, noun as string), ...rest].join(" ");
}
