import type { RunCall } from "../engine/run-state.ts";
import type { SealedRun } from "../engine/sealed-run.ts";
import type { Check, Subject, Tell } from "./check.ts";

const attribute = "trustabl.step_index";

/** Within a run, calls are numbered once each, in the order in which they start. */
export const stepOrder: Check = {
  id: "step-order",
  title: "The calls of a run are numbered in the order in which they start",
  level: "error",
  why: "Rules look at the last calls of a run; steps that repeat or contradict time put other calls there.",
  pass: "In every run the step indices are unique and follow the order of the calls.",
  fail: {
    duplicate: "Two calls of a run carry the same step index.",
    missing: "A labelled call of a run carries no step index.",
    disorder: "A call carries a lower step index than a call that had ended before it started.",
  },
  unknown: {
    gap: "Step indices are missing: spans were sampled away or are not in the export, or a call went unlabelled.",
    "attributes-dropped":
      "The SDK dropped attributes of the span because of its limits; the step index may be among them.",
    overlap:
      "A call carries a lower step index than one that started well before it; the two ran at the same time, so the index may still be right.",
    late: "Spans of this run came after the run had been judged, or it has too many calls.",
  },
  notApplicable: "No run has labelled calls.",
  fix: "Take the index with run.nextStep() when the call starts, before any await, once for each call; wrapTool() does. One Run belongs to one run.",
  judgeRun(run, tell) {
    const numbered = run.calls.filter(({ step }) => step !== undefined);
    const faults = judgeMissing(run, tell) + judgeOrder(run, numbered, tell);
    if (run.calls.length === 0) return;
    if (!run.isCertain) tell.unknown("late", run.subject(run.calls[0]?.span));
    else if (run.hasGaps) {
      tell.unknown("gap", run.subject(run.calls[0]?.span), {
        attribute,
        observed: `${new Set(numbered.map(({ step }) => step)).size} indices, the highest ${highest(numbered)}`,
      });
    } else if (faults === 0) tell.pass(run.subject(undefined));
  },
};

function judgeMissing(run: SealedRun, tell: Tell<Subject>): number {
  let faults = 0;
  for (const { step, span, labelled, droppedAttributes } of run.calls) {
    if (step !== undefined || !labelled) continue;
    faults += 1;
    const detail = { attribute, observed: "nothing" };
    if (droppedAttributes) tell.unknown("attributes-dropped", run.subject(span), detail);
    else tell.fail("missing", run.subject(span), detail);
  }
  return faults;
}

// Steps are taken inside the call, so two calls that overlap may have taken theirs in either order; a call that ended
// before another started has the lower one. It is enough to compare with the latest start so far.
function judgeOrder(run: SealedRun, numbered: readonly RunCall[], tell: Tell<Subject>): number {
  let faults = 0;
  let previous: RunCall | undefined;
  let latest: RunCall | undefined;
  for (const call of [...numbered].sort((a, b) => (a.step ?? 0) - (b.step ?? 0))) {
    const fault = compare(call, previous, latest, run.skew);
    if (fault !== undefined) {
      faults += 1;
      const { about, related } = fault;
      const detail = { attribute, observed: String(about.step), related: related.span };
      tell[fault.outcome](fault.reason, run.subject(about.span), detail);
    }
    previous = call;
    if (call.start !== undefined && call.start > (latest?.start ?? 0)) latest = call;
  }
  return faults;
}

interface Fault {
  readonly outcome: "fail" | "unknown";
  readonly reason: string;
  readonly about: RunCall;
  readonly related: RunCall;
}

function compare(
  call: RunCall,
  previous: RunCall | undefined,
  latest: RunCall | undefined,
  skew: number,
): Fault | undefined {
  if (previous?.step === call.step && previous !== undefined) {
    return { outcome: "fail", reason: "duplicate", about: call, related: previous };
  }
  if (latest?.start === undefined || call.start === undefined || latest.start - call.start <= skew)
    return undefined;
  const ended = call.end !== undefined && call.end < latest.start;
  return ended
    ? { outcome: "fail", reason: "disorder", about: latest, related: call }
    : { outcome: "unknown", reason: "overlap", about: latest, related: call };
}

const highest = (calls: readonly RunCall[]): number =>
  calls.reduce((most, { step }) => Math.max(most, step ?? 0), 0);
