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
  /** 32 lower-case hexadecimal characters; an id of another form is kept as it came. */
  readonly traceId: string;
  /** 16 lower-case hexadecimal characters; an id of another form is kept as it came. */
  readonly spanId: string;
  /** Shortened, without control characters. */
  readonly name: string;
  /** The file's name, or what else the caller called the input; missing where spans came from memory. */
  readonly source?: string | undefined;
  /** Line of the input, from 1. */
  readonly line?: number | undefined;
}

/** One thing that a check found wrong, or could not tell. */
export interface Finding {
  /** Id of the check that found it, one of `CHECK_IDS`. */
  readonly check: CheckId;
  /** `unknown`: the spans do not say whether it is wrong. */
  readonly outcome: "fail" | "unknown";
  /** The check's level: whether a failure makes the verdict `fail`. */
  readonly level: Level;
  /** Stable name of what was found, within the check. */
  readonly reason: string;
  /** One sentence for people; constant for each check and reason. */
  readonly message: string;
  /** The span that the finding is about; missing where it is about a run as a whole. */
  readonly span?: SpanReference | undefined;
  /** Another span that explains the finding: the root, the other call with the same number, ... */
  readonly related?: SpanReference | undefined;
  /** The run that the finding is about; missing where the spans carry no run id. */
  readonly runId?: string | undefined;
  /** The label that the finding is about. */
  readonly attribute?: string | undefined;
  /** What was there: a label's value when it has the right form, otherwise its kind and length. */
  readonly observed?: string | undefined;
  /** What should have been there, in words or as a label's value. */
  readonly expected?: string | undefined;
}

/** What one check found. */
export interface CheckResult {
  /** One of `CHECK_IDS`; each check has one result. */
  readonly id: CheckId;
  /** What holds when it passes; a headline. */
  readonly title: string;
  /** Whether a failure makes the verdict `fail`, or does so in strict mode only. */
  readonly level: Level;
  /** `fail` as soon as one thing failed; otherwise `unknown` as soon as one could not be told. */
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
  /** The file's name, or what else the caller called the input. Shortened, without control characters. */
  readonly source?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
}

/** One span in the tree of a run. */
export interface TreeSpan {
  /** The span's ids, its name, and where it was read. */
  readonly span: SpanReference;
  /** Steps below the first span of the tree. */
  readonly depth: number;
  /**
   * What the span stands for: a run of an agent, a call of a tool, the step that passes control to another agent (`handoff`),
   * what looks like a call although no tool function ran here (`no_call`), or anything else.
   */
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
  /** The traces that the run has spans in, each once. */
  readonly traceIds: readonly string[];
  /** How many tool calls it has; nested spans of one call count once. */
  readonly toolCalls: number;
  /** The value of `trustabl.exit_reason`; missing where no span of the run carries one. */
  readonly exitReason?: string | undefined;
  /** The run's spans, each before those below it; `depth` says how far down it stands. */
  readonly tree: readonly TreeSpan[];
  /** Spans of the tree that were left out. */
  readonly omitted: number;
}

/** What the verifier says about a set of spans. */
export interface Report {
  /** What it comes to. `nothing-to-check` is no pass. */
  readonly verdict: Verdict;
  /** Set when the verdict is `nothing-to-check`. */
  readonly nothing?: NothingReason | undefined;
  /** Whether the option `strict` was set, and the verdict is read that way. */
  readonly strict: boolean;
  readonly examined: {
    /** Spans that were looked at; with the option `run`, those of that run. */
    readonly spans: number;
    /** Traces that have such a span. */
    readonly traces: number;
    /** Different run ids. */
    readonly runs: number;
    /** Spans of agents, also of delegated ones. */
    readonly agentSpans: number;
    /** Tool calls: nested spans of one call count once. */
    readonly toolSpans: number;
    /** Spans with a label or a policy binding. */
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
  /** One result for each check that was asked for, in the order of `CHECK_IDS`. */
  readonly checks: readonly CheckResult[];
  /** First runs; `examined.runs` has the count. */
  readonly runs: readonly RunSummary[];
}
