import type { RunCall } from "../engine/run-state.ts";
import type { SealedRun } from "../engine/sealed-run.ts";
import type { Check } from "./check.ts";

const attribute = "trustabl.tool.attempt";

/** Within a run, equal calls are counted 1, 2, 3. */
export const attemptCount: Check = {
  id: "attempt-count",
  title: "Equal calls of a run are counted 1, 2, 3",
  level: "error",
  why: "The attempt is how a retry storm is seen; a count that restarts or jumps hides it or invents it.",
  pass: "In every run equal calls (same tool, same arguments) are counted 1, 2, 3 in step order.",
  fail: {
    repeat: "Two equal calls of a run carry the same attempt.",
    restart: "An equal call that comes later carries a lower attempt.",
    jump: "The attempts of equal calls skip a number, or do not begin with 1.",
  },
  unknown: {
    gap: "Attempts skip a number, and step indices are missing too: the calls between are not in the export.",
    "no-attempt": "An equal call carries no attempt.",
    hidden:
      "Calls without a fingerprint carry attempts of several calls: fingerprints are switched off, and which calls are equal cannot be told.",
    late: "Spans of this run came after the run had been judged, or it has too many calls.",
  },
  notApplicable: "No run has labelled calls.",
  fix: "Count per run, per tool and per arguments fingerprint, when the call starts; wrapTool() does. Keep the counts in the run, not in the module.",
  judgeRun(run, tell) {
    const groups = groupBy(
      run.calls,
      ({ toolName, inputFp }) => `${toolName ?? ""}\n${inputFp ?? "no fingerprint"}`,
    );
    // Some programs count by the arguments alone, whatever the tool: as good, if it is done throughout.
    const byArguments = groups.some((group) => faultIn(group)?.reason === "jump") && countsByArguments(run);
    if (byArguments) {
      tell.note(
        "Attempts are counted by the arguments' fingerprint alone, without the tool's name; accepted.",
      );
    }
    for (const group of groups) {
      const fault = byArguments ? undefined : faultIn(group);
      if (fault === undefined) {
        const [first] = group;
        if (run.isCertain) tell.pass(run.subject(first?.span));
        else tell.unknown("late", run.subject(first?.span));
        continue;
      }
      const { reason, call, related, expected } = fault;
      const subject = run.subject(call.span);
      const observed = call.attempt === undefined ? "nothing" : String(call.attempt);
      const detail = { attribute, observed, expected: String(expected), related: related?.span };
      if (reason === "no-attempt") tell.unknown(reason, subject, detail);
      else if (reason !== "jump" && mayBeHidden(group, run)) tell.unknown("hidden", subject, detail);
      else if (reason !== "jump") tell.fail(reason, subject, detail);
      else if (!run.isCertain) tell.unknown("late", subject, detail);
      else if (run.hasGaps) tell.unknown("gap", subject, detail);
      else tell.fail("jump", subject, detail);
    }
  },
};

interface Fault {
  readonly reason: "repeat" | "restart" | "jump" | "no-attempt";
  readonly call: RunCall;
  readonly related: RunCall | undefined;
  readonly expected: number;
}

// The first fault in calls that are counted together. What no missing span explains comes first.
function faultIn(group: readonly RunCall[]): Fault | undefined {
  let jump: Fault | undefined;
  let missing: Fault | undefined;
  let previous: RunCall | undefined;
  for (const [index, call] of group.entries()) {
    const expected = index + 1;
    const found = { call, related: previous, expected };
    if (call.attempt === undefined) {
      missing ??= { reason: "no-attempt", ...found };
      continue;
    }
    const before = previous?.attempt ?? 0;
    if (previous !== undefined && call.attempt <= before) {
      return { reason: call.attempt === before ? "repeat" : "restart", ...found };
    }
    if (call.attempt !== expected) jump ??= { reason: "jump", ...found };
    previous = call;
  }
  return missing ?? jump;
}

// Whether attempts that begin again can be those of several calls whose fingerprints are switched off: then each goes on
// from one that is there.
function mayBeHidden(group: readonly RunCall[], run: SealedRun): boolean {
  if (group[0]?.inputFp !== undefined) return false;
  if (run.hasGaps) return true;
  const reached = new Map<number, number>();
  const add = (attempt: number, calls: number) => reached.set(attempt, (reached.get(attempt) ?? 0) + calls);
  for (const { attempt } of group) {
    if (attempt === undefined) continue;
    if (attempt > 1 && (reached.get(attempt - 1) ?? 0) === 0) return false;
    if (attempt > 1) add(attempt - 1, -1);
    add(attempt, 1);
  }
  return true;
}

const countsByArguments = (run: SealedRun): boolean =>
  groupBy(run.calls, ({ inputFp, toolName }) => inputFp ?? `\n${toolName ?? ""}`).every(
    (group) => faultIn(group) === undefined,
  );

// Groups in order of their first call, calls in step order; a call without a step stands where its time puts it.
function groupBy(calls: readonly RunCall[], keyOf: (call: RunCall) => string): RunCall[][] {
  const groups = new Map<string, RunCall[]>();
  for (const call of inStepOrder(calls.filter(({ labelled }) => labelled))) {
    const key = keyOf(call);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [call]);
    else group.push(call);
  }
  return [...groups.values()];
}

// Not one sort by a comparison that knows no order for some pairs: what that gives is nobody's order.
function inStepOrder(calls: readonly RunCall[]): RunCall[] {
  const stepped = calls
    .filter(({ step }) => step !== undefined)
    .toSorted((a, b) => (a.step ?? 0) - (b.step ?? 0))
    .values();
  return calls.map((call) => (call.step === undefined ? call : (stepped.next().value ?? call)));
}
