/**
 * Judging a trace whose spans have all arrived, and handing what it says about runs on to them.
 *
 * @module
 */
import type { CheckId } from "../checks/check-id.ts";
import type { VerifySettings } from "../options.ts";
import type { RunCall, RunState } from "./run-state.ts";
import { runIdOf, type SealedTrace } from "./sealed-trace.ts";
import { byStart, type NotableSpan } from "./span-record.ts";
import type { Tally } from "./tally.ts";

/** Counts what was said about each span when it arrived, now that its run is known, and runs the trace's checks. */
export function judgeTrace(
  trace: SealedTrace,
  tallies: ReadonlyMap<CheckId, Tally>,
  settings: VerifySettings,
): void {
  for (const span of trace.spans) {
    if (span.facts.verdicts.length === 0) continue;
    const subject = trace.subject(span);
    for (const verdict of span.facts.verdicts) {
      const tally = tallies.get(verdict.check);
      if (verdict.outcome === "pass") tally?.pass(subject);
      else tally?.[verdict.outcome](verdict.reason, subject, verdict);
    }
  }
  for (const tally of tallies.values()) tally.guard(() => tally.check.judgeTrace?.(trace, tally, settings));
}

/** The open runs. */
export interface Runs {
  get(id: string): RunState | undefined;
}

/**
 * Adds the trace's calls and roots to their runs.
 *
 * @param limit how many of each a run may have
 */
export function addToRuns(trace: SealedTrace, runs: Runs, limit: number): void {
  const calls = new Set(trace.calls.map(({ span }) => span));
  for (const span of trace.spans) {
    const run = runs.get(runIdOf(span) ?? "");
    if (run === undefined) continue;
    if (run.size >= limit) {
      run.overflow = true;
    } else if (isCall(span)) {
      addCall(trace, span, run);
      if (calls.has(span)) rememberUnlabelledRoot(trace, span, run);
    } else if (isRoot(trace, span, run.id)) {
      addRoot(trace, span, run);
    }
  }
}

// Runs inside runs; beyond this a hostile export would cost quadratic time.
const MAX_NESTED_RUNS = 64;

/** True for the outermost span above tools that carries this run's id. */
export function isRoot(trace: SealedTrace, span: NotableSpan, runId: string): boolean {
  if (span.facts.role === "tool") return false;
  let { owner } = trace.above(span);
  for (let level = 0; level < MAX_NESTED_RUNS; level += 1) {
    if (owner === undefined) return true;
    if (runIdOf(owner) === runId) return false;
    owner = trace.above(owner).owner;
  }
  return false;
}

function addRoot(trace: SealedTrace, span: NotableSpan, run: RunState): void {
  const { topAgent, complete } = trace.above(span);
  run.roots.push({
    span: trace.anchor(span),
    end: span.facts.end,
    group: `${trace.id} ${(topAgent ?? span).id}`,
    isCertain: complete && trace.isCertain(span),
  });
}

// Whatever carries the labels of a call is one, also where they stand on the wrong span: another check says so.
function isCall({ facts: { role, labels } }: NotableSpan): boolean {
  return (
    role === "tool" ||
    labels?.["trustabl.step_index"] !== undefined ||
    labels?.["trustabl.tool.attempt"] !== undefined
  );
}

function addCall(trace: SealedTrace, span: NotableSpan, run: RunState): void {
  const { role, labels, toolName, start, end, droppedAttributes } = span.facts;
  const isTimed = role !== undefined && role !== "agent" && start > 0;
  run.calls.push({
    span: trace.anchor(span),
    step: numberOf(labels?.["trustabl.step_index"]),
    attempt: numberOf(labels?.["trustabl.tool.attempt"]),
    inputFp: textOf(labels?.["trustabl.tool.input_fp"]),
    toolName,
    start: isTimed ? start : undefined,
    end: isTimed ? end : undefined,
    labelled:
      labels?.["trustabl.tool.input_fp"] !== undefined || labels?.["trustabl.tool.attempt"] !== undefined,
    droppedAttributes,
    stray: strayOf(trace, span),
  });
}

// LangChain runs its callbacks in one queue for all requests, in the context of whichever request filled it first: spans
// made there can hang in another run's trace, although their labels are right.
const QUEUED = /langchain|langfuse/;

/** The owner of a call that may hang in the wrong place; `undefined` for all others. */
export function strayOf(trace: SealedTrace, span: NotableSpan): RunCall["stray"] {
  const { owner } = trace.above(span);
  const [own, runId] = [runIdOf(span), runIdOf(owner)];
  if (owner === undefined || own === undefined || runId === undefined || own === runId) return undefined;
  return QUEUED.test(span.facts.scope ?? "") ? { owner: trace.anchor(owner), runId } : undefined;
}

function rememberUnlabelledRoot(trace: SealedTrace, span: NotableSpan, run: RunState): void {
  const { owner, complete, topAgent } = trace.above(span);
  if (owner !== undefined || !complete || topAgent === undefined || !trace.isCertain(span)) return;
  const root = { span: trace.anchor(topAgent), droppedAttributes: topAgent.facts.droppedAttributes };
  // The earliest, whatever order the traces are judged in.
  if (run.unlabelledRoot === undefined || byStart(root.span, run.unlabelledRoot.span) < 0) {
    run.unlabelledRoot = root;
  }
}

const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
