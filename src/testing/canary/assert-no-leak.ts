/**
 * The search for planted texts in everything that was written.
 *
 * @module
 */
import { inspect } from "node:util";
import { cleanText } from "../../verify/clean-text.ts";
import { hasLabel } from "../recording/span-queries.ts";
import type { RecordedSpan } from "../recording/span-types.ts";
import { TraceAssertionError } from "../testing-error.ts";
import { type Canary, type CanaryPlace, coreOf } from "./canary.ts";
import { formFinder, type LeakForm } from "./forms.ts";
import { type WrittenText, writtenTexts } from "./written-texts.ts";

/** Options of {@link assertNoLeak}. */
export interface LeakOptions {
  /** Errors to search: their messages, stacks, causes and fields. Give the ones that this package threw. */
  readonly errors?: Iterable<unknown> | undefined;
  /** Messages to search. A recording gives its own. */
  readonly diagnostics?: Iterable<string> | undefined;
  /** More texts to search: a log, a report. */
  readonly texts?: Iterable<string> | undefined;
  /**
   * Search everything that is exported, and everybody's diagnostics. Default false: `trustabl.*` attributes and events
   * and what this package says, since frameworks capture content under names of their own.
   */
  readonly everything?: boolean | undefined;
}

/** What this package says on `diag` begins so. */
const OWN_DIAGNOSTIC = "agent-reliability-otel-labels";
/** Places that one message lists. */
const MAX_SHOWN = 20;

/**
 * Searches what was written for the planted texts, in plain and in the usual encodings.
 *
 * @throws TraceAssertionError `leaked`, with the places and never the text; `nothing_checked` when no span is labelled
 */
export function assertNoLeak(
  canary: Canary,
  spans: readonly RecordedSpan[],
  options: LeakOptions = {},
): void {
  if (!spans.some(hasLabel)) {
    throw new TraceAssertionError(
      "nothing_checked",
      "No recorded span has a label, so that there was nothing to search for the canary.",
    );
  }
  const finders = (Object.entries(canary) as [CanaryPlace, string][]).map(
    ([place, text]) => [place, formFinder(coreOf(text))] as const,
  );
  // Names are other people's text, and may themselves be what leaked.
  const showName = (name: string) =>
    finders.some(([, find]) => find(name) !== undefined) ? "(a planted text)" : cleanText(name, 80);
  const leaks = new Set<string>();
  for (const { text, place } of searched(spans, options, showName)) {
    for (const [planted, find] of finders) {
      const form = find(text);
      if (form !== undefined) leaks.add(leakText(planted, form, place));
    }
  }
  if (leaks.size > 0) throw new TraceAssertionError("leaked", messageFor([...leaks]));
}

function* searched(
  spans: readonly RecordedSpan[],
  options: LeakOptions,
  showName: (name: string) => string,
): Generator<WrittenText> {
  const everything = options.everything === true;
  for (const span of spans) yield* writtenTexts(span, everything, showName);
  for (const text of options.diagnostics ?? []) {
    if (everything || text.startsWith(OWN_DIAGNOSTIC)) yield { text, place: "a diagnostic" };
  }
  for (const error of options.errors ?? []) {
    yield { text: errorText(error), place: "an error" };
  }
  for (const text of options.texts ?? []) yield { text, place: "a text that was given" };
}

// Everything about the error that a log could show. Its own idea of how to be shown is passed over.
const errorText = (error: unknown): string =>
  inspect(error, {
    depth: 8,
    showHidden: true,
    customInspect: false,
    maxStringLength: 100_000,
    maxArrayLength: 1_000,
    breakLength: Number.POSITIVE_INFINITY,
  });

const leakText = (planted: CanaryPlace, form: LeakForm, place: string): string =>
  `the ${planted} canary, ${form}, in ${place}`;

function messageFor(leaks: readonly string[]): string {
  const shown = leaks.slice(0, MAX_SHOWN).map((leak) => `  ${leak}`);
  if (leaks.length > MAX_SHOWN) shown.push(`  and ${leaks.length - MAX_SHOWN} more places`);
  return `Planted text leaked:\n${shown.join("\n")}`;
}
