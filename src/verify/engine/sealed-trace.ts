/**
 * A trace whose spans have all arrived, or as many as will: what the checks of a trace read.
 *
 * @module
 */
import type { Subject } from "../checks/check.ts";
import type { LabelText } from "../evidence/label-texts.ts";
import { type Lineage, Lineages } from "./lineage.ts";
import { sameCall } from "./same-call.ts";
import { compareText, isNotable, type NotableSpan, type SpanAnchor } from "./span-record.ts";
import type { TraceState } from "./trace-state.ts";

/** One call of a tool: the outermost of the spans that stand for it. */
export interface ToolCall {
  readonly span: NotableSpan;
  /** Spans of the same call below it: an MCP client's or server's below the framework's. */
  readonly inner: readonly NotableSpan[];
}

const MAX_SEARCHED = 2_000;

/** A trace, ready to be judged. */
export class SealedTrace {
  readonly id: string;
  /** Every span that some check asks about, by start time. */
  readonly spans: readonly NotableSpan[];
  /** Every tool call, by start time. */
  readonly calls: readonly ToolCall[];
  readonly #state: TraceState;
  readonly #cut: boolean;
  readonly #lineages: Lineages;

  /** @param cut true when the trace is judged because the window is full, so that spans may still come */
  constructor(state: TraceState, cut: boolean) {
    this.id = state.id;
    this.#state = state;
    this.#cut = cut;
    this.#lineages = new Lineages(state.records);
    this.spans = [...state.records.values()].filter(isNotable).sort(earlier);
    this.calls = this.#findCalls();
  }

  /** What stands above the span. */
  above(span: NotableSpan): Lineage {
    return this.#lineages.of(span);
  }

  /** The run that the span belongs to: its own label's, or the one of the nearest labelled span above it. */
  runIdOf(span: NotableSpan): string | undefined {
    return runIdOf(span) ?? runIdOf(this.above(span).owner);
  }

  /** The span and its run, for a judgement. */
  subject(span: NotableSpan): Subject {
    let subject = this.#subjects.get(span);
    if (subject === undefined) {
      subject = { span: this.anchor(span), runId: this.runIdOf(span) };
      this.#subjects.set(span, subject);
    }
    return subject;
  }

  // Every check asks for the same ones.
  readonly #subjects = new Map<NotableSpan, Subject>();

  anchor(span: NotableSpan): SpanAnchor {
    const { start, source, line } = span.facts;
    return { traceId: this.id, spanId: span.id, name: span.name, source, line, start };
  }

  /** True when the trace had been judged before these spans came. */
  get isLate(): boolean {
    return this.#state.late;
  }

  /** False when spans above may have come too late to be seen, so that nothing may be made of their absence. */
  isCertain(span: NotableSpan): boolean {
    return !this.#state.late && (!this.#cut || this.above(span).complete);
  }

  /** Some sign that no tool function ran. */
  mayNotHaveRun(span: NotableSpan): boolean {
    if (span.facts.notRun) return true;
    return span.name === "claude_code.tool" && this.#state.execution(span.id) === undefined;
  }

  hasFailed(span: NotableSpan): boolean {
    return span.failed || this.#state.execution(span.id) === "failed";
  }

  /** The texts in the span's labels that hold one of the caller's secrets, or something captured in this trace. */
  leaksOf(span: NotableSpan): readonly LabelText[] {
    return span.facts.texts.filter(({ text, secret }) => secret || this.#holdsContent(text) === true);
  }

  /** False when the trace's labels hold so many texts that not all of them were looked for. */
  isSearched(span: NotableSpan): boolean {
    return span.facts.texts.every(({ text, secret }) => secret || this.#holdsContent(text) !== undefined);
  }

  // Many spans carry the same run id. An honest trace has few different texts in its labels; a hostile one must
  // not make the search last for hours.
  readonly #answers = new Map<string, boolean>();

  #holdsContent(text: string): boolean | undefined {
    if (!this.#state.hasContent) return false;
    let answer = this.#answers.get(text);
    if (answer === undefined && this.#answers.size < MAX_SEARCHED) {
      answer = this.#state.pool.holdsAny(text, () => this.#identifiers());
      this.#answers.set(text, answer);
    }
    return answer;
  }

  // Results repeat the ids of the trace itself; a label that equals one holds no content.
  #identifiers(): ReadonlySet<string> {
    this.#knownIdentifiers ??= new Set(this.spans.flatMap(identifiersOf)).add(this.id);
    return this.#knownIdentifiers;
  }
  #knownIdentifiers: Set<string> | undefined;

  #findCalls(): ToolCall[] {
    const inner = new Map<NotableSpan, NotableSpan[]>();
    for (const span of this.spans) {
      if (span.facts.role !== "tool") continue;
      const outermost = this.#outermost(span);
      const members = inner.get(outermost) ?? [];
      if (outermost !== span) members.push(span);
      inner.set(outermost, members);
    }
    return [...inner]
      .map(([span, members]) => ({ span, inner: members }))
      .sort((a, b) => earlier(a.span, b.span));
  }

  #outermost(span: NotableSpan): NotableSpan {
    let outermost = span;
    let above = this.above(span).tool;
    // No call is repeated by more than a few layers.
    for (let layer = 0; above !== undefined && layer < 16; layer += 1) {
      if (sameCall(outermost, above)) outermost = above;
      above = this.above(above).tool;
    }
    return outermost;
  }
}

/** The run id that the span carries, when it has the form of one. */
export function runIdOf(span: NotableSpan | undefined): string | undefined {
  const id = span?.facts.labels?.["trustabl.run_id"];
  return typeof id === "string" ? id : undefined;
}

const identifiersOf = ({ id, name, facts }: NotableSpan): string[] =>
  [id, name, facts.callId, facts.toolName, facts.agentName].filter((text) => text !== undefined);

const earlier = (a: NotableSpan, b: NotableSpan): number =>
  a.facts.start - b.facts.start || compareText(a.id, b.id);
