/**
 * What a check is: a row of data with every sentence that people get to read, and small functions that judge.
 *
 * @module
 */
import type { SpanRole } from "../../attributes/conventions.ts";
import type { SealedRun } from "../engine/sealed-run.ts";
import type { SealedTrace } from "../engine/sealed-trace.ts";
import type { SpanAnchor } from "../engine/span-record.ts";
import type { SpanLabels } from "../evidence/labels.ts";
import type { VerifySettings } from "../options.ts";
import type { Level } from "../report.ts";
import type { SpanView } from "../span-view.ts";
import type { CheckId } from "./check-id.ts";

/** What goes with a judgement. */
export interface Detail {
  /** The label in question. */
  readonly attribute?: string | undefined;
  readonly observed?: string | undefined;
  readonly expected?: string | undefined;
  /** A span that explains the judgement. */
  readonly related?: SpanAnchor | undefined;
}

/** How a check says what it found, about one span. `reason` is a key of the check's `fail` or `unknown` sentences. */
export interface Tell<About> {
  pass(about: About): void;
  fail(reason: string, about: About, detail?: Detail): void;
  unknown(reason: string, about: About, detail?: Detail): void;
  /** Something that was accepted and is worth knowing. */
  note(text: string): void;
}

/** A check while it judges one span, before it is known where the span belongs. */
export interface TellOfSpan {
  pass(): void;
  fail(reason: string, detail?: Omit<Detail, "related">): void;
  unknown(reason: string, detail?: Omit<Detail, "related">): void;
}

/** A span while its attributes and events are there. */
export interface ArrivedSpan {
  readonly view: SpanView;
  readonly role: SpanRole | undefined;
  readonly labels: SpanLabels | undefined;
}

/** Something to judge, and the run it belongs to. */
export interface Subject {
  readonly span: SpanAnchor | undefined;
  readonly runId: string | undefined;
}

/** What a check is about, in words: everything that people get to read. */
export interface CheckDescription {
  /** Stable across releases; reports and the options `only` and `ignore` name the check by it. */
  readonly id: CheckId;
  /** What holds when it passes; a headline. */
  readonly title: string;
  /** Whether a failure makes the verdict `fail`, or does so in strict mode only. */
  readonly level: Level;
  /** Why it matters: what goes wrong for the people who read the labels. */
  readonly why: string;
  /** What is said when it passes, in one sentence. */
  readonly pass: string;
  /** What can be wrong, by reason. */
  readonly fail: Readonly<Record<string, string>>;
  /** Why it can be impossible to tell, by reason. */
  readonly unknown: Readonly<Record<string, string>>;
  /** What is said when there is nothing to judge, in one sentence. */
  readonly notApplicable: string;
  /** How to put a failure right. */
  readonly fix: string;
}

/** One check. */
export interface Check extends CheckDescription {
  /** Judges a span by itself, while its attributes and events are there. */
  readonly judgeSpan?: (span: ArrivedSpan, tell: TellOfSpan) => void;
  /** Judges the spans of one trace. */
  readonly judgeTrace?: (trace: SealedTrace, tell: Tell<Subject>, settings: VerifySettings) => void;
  /** Judges the calls of one run, in all its traces. */
  readonly judgeRun?: (run: SealedRun, tell: Tell<Subject>) => void;
}

/** Where a check is explained, relative to the package. */
export function docsOf(id: CheckId): string {
  return `docs/checks.md#${id}`;
}
