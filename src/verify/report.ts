/**
 * What the verifier says, as data. Every rendering (`format/`) is made from it and adds nothing.
 *
 * A report holds no argument text, no result text and no attribute value other than a `trustabl.*` value that has the
 * form it should have. Names of spans, which are other people's text, are shortened and cleaned of control characters.
 *
 * @module
 */
import type { CheckId } from "./checks/check-id.ts";

/**
 * - `pass`: it holds
 * - `fail`: it does not
 * - `unknown`: the spans do not say; never counted as a pass
 * - `not-applicable`: nothing of the kind is there
 */
export type Outcome = "pass" | "fail" | "unknown" | "not-applicable";

/** A failed `error` makes the verdict `fail`; a failed `warning` does not, except in strict mode. */
export type Level = "error" | "warning";

/** `nothing-to-check` is neither: no span, no tool span or no labelled span was there. */
export type Verdict = "pass" | "fail" | "nothing-to-check";

/** Why there was nothing to check. */
export type NothingReason = "no-spans" | "no-tool-spans" | "no-labelled-spans" | "nothing-certain";

/** A span, as findings name it. */
export interface SpanReference {
  readonly traceId: string;
  readonly spanId: string;
  /** Shortened, without control characters. */
  readonly name: string;
  readonly source?: string | undefined;
  /** Line of the input, from 1. */
  readonly line?: number | undefined;
}

/** One thing that a check found wrong, or could not tell. */
export interface Finding {
  readonly check: CheckId;
  readonly outcome: "fail" | "unknown";
  readonly level: Level;
  /** Stable name of what was found, within the check. */
  readonly reason: string;
  /** One sentence for people; constant for each check and reason. */
  readonly message: string;
  readonly span?: SpanReference | undefined;
  /** Another span that explains the finding: the root, the other call with the same number, ... */
  readonly related?: SpanReference | undefined;
  readonly runId?: string | undefined;
  /** The label that the finding is about. */
  readonly attribute?: string | undefined;
  /** What was there: a label's value when it has the right form, otherwise its kind and length. */
  readonly observed?: string | undefined;
  readonly expected?: string | undefined;
}

/** What one check found. */
export interface CheckResult {
  readonly id: CheckId;
  readonly title: string;
  readonly level: Level;
  readonly outcome: Outcome;
  /** How many things were judged each way. Exact, also when findings were left out. */
  readonly counts: { readonly pass: number; readonly fail: number; readonly unknown: number };
  /** Failures first. At most `maxFindings`. */
  readonly findings: readonly Finding[];
  /** How many findings were left out. */
  readonly omitted: number;
  /** What was accepted and is worth knowing. */
  readonly notes: readonly string[];
  /** One sentence on the outcome. */
  readonly message: string;
  /** How to put a failure right. */
  readonly fix: string;
  /** Path of the explanation, relative to the package. */
  readonly docs: string;
}

/** Part of the input that was not read as spans. */
export interface InputProblem {
  /** Stable name of the problem. */
  readonly code: string;
  /** `warning` for a file that merely stops in the middle of its last line; see `incomplete`. */
  readonly level: Level;
  /** One sentence for people. Holds nothing of the input's text. */
  readonly message: string;
  readonly source?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
}

/** One span in the tree of a run. */
export interface TreeSpan {
  readonly span: SpanReference;
  /** Steps below the first span of the tree. */
  readonly depth: number;
  readonly role: "agent" | "tool" | "handoff" | "no_call" | "other";
  /** The tool that was called: many instrumentations give every call the same span name. Shortened and cleaned. */
  readonly toolName?: string | undefined;
  /** Well-formed labels by name; a label of the wrong form is named with `undefined`. */
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  /** Policies bound on the span. */
  readonly policies: number;
  /** The instrumentation says that it failed. */
  readonly failed: boolean;
  /** Milliseconds after the start of the tree's first span, the one above at depth 0; missing without usable times. */
  readonly startMilliseconds?: number | undefined;
  /** Milliseconds; missing where the span never ended, or has no usable times. */
  readonly durationMilliseconds?: number | undefined;
}

/** One run, or one trace without a run. */
export interface RunSummary {
  /** Missing where tool spans carry no run id. */
  readonly runId?: string | undefined;
  readonly traceIds: readonly string[];
  readonly toolCalls: number;
  readonly exitReason?: string | undefined;
  readonly tree: readonly TreeSpan[];
  /** Spans of the tree that were left out. */
  readonly omitted: number;
}

/** What the verifier says about a set of spans. */
export interface Report {
  readonly verdict: Verdict;
  /** Set when the verdict is `nothing-to-check`. */
  readonly nothing?: NothingReason | undefined;
  readonly strict: boolean;
  readonly examined: {
    readonly spans: number;
    readonly traces: number;
    readonly runs: number;
    readonly agentSpans: number;
    /** Tool calls: nested spans of one call count once. */
    readonly toolSpans: number;
    readonly labelledSpans: number;
  };
  readonly skipped: {
    /** Spans that were there more than once. */
    readonly duplicates: number;
    /** Spans of other runs, when one run was asked for. */
    readonly otherRuns: number;
    /** Log, metric and profile records. */
    readonly otherSignals: number;
    /** Parts of the input that could not be read. */
    readonly unreadable: number;
  };
  /** True when part of the input was not seen: unreadable, cut off, or later than the window allows. */
  readonly incomplete: boolean;
  /** First problems of the input; `skipped.unreadable` has the count. */
  readonly problems: readonly InputProblem[];
  readonly checks: readonly CheckResult[];
  /** First runs; `examined.runs` has the count. */
  readonly runs: readonly RunSummary[];
}
