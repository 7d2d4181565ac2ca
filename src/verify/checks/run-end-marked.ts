import { EXIT_REASONS } from "../../attributes/registry.ts";
import { isRoot } from "../engine/judge-trace.ts";
import { runIdOf, type SealedTrace } from "../engine/sealed-trace.ts";
import type { NotableSpan } from "../engine/span-record.ts";
import type { Check } from "./check.ts";

/** The agent's root span says how the run ended. */
export const runEndMarked: Check = {
  id: "run-end-marked",
  title: "Every run says how it ended",
  level: "error",
  why: "Without an end, a run that was cut short looks like one that found its answer.",
  pass: "Every run's root span carries a valid trustabl.exit_reason.",
  fail: {
    "no-exit-reason": "A root span carries a run id and no exit reason, although it ended.",
    "exit-reason-invalid": "A root span's exit reason is not one of the four.",
    "exit-reason-elsewhere": "A root span carries no exit reason; another span of its trace does.",
  },
  unknown: {
    "no-root":
      "No span above the run's tool calls carries its run id: the root is not in the export, or never ended.",
    "not-ended": "The root span has not ended.",
    "attributes-dropped":
      "The SDK dropped attributes of the root span because of its limits; the exit reason may be among them.",
    late: "Spans of this run came after the run had been judged.",
  },
  notApplicable: "There is no run.",
  fix: "Run the agent inside withRun(root, ...), or call markRunEnd(root, reason) before the root span ends: an ended span keeps nothing.",
  judgeTrace(trace, tell) {
    let misplaced: ReadonlyMap<string | undefined, NotableSpan> | undefined;
    for (const span of trace.spans) {
      const runId = runIdOf(span);
      if (runId === undefined || !isRoot(trace, span, runId)) continue;
      const { labels, end, droppedAttributes } = span.facts;
      const reason = labels?.["trustabl.exit_reason"];
      const subject = trace.subject(span);
      const detail = { attribute: "trustabl.exit_reason", expected: `one of ${EXIT_REASONS.join(", ")}` };
      if (typeof reason === "string") tell.pass(subject);
      else if (!trace.isCertain(span)) tell.unknown("late", subject, detail);
      else if (reason === null) tell.fail("exit-reason-invalid", subject, detail);
      else if (end === undefined) tell.unknown("not-ended", subject, detail);
      else if (droppedAttributes) tell.unknown("attributes-dropped", subject, detail);
      else {
        misplaced ??= misplacedEnds(trace);
        const elsewhere = misplaced.get(runId) ?? misplaced.get(undefined);
        const related = elsewhere && trace.anchor(elsewhere);
        tell.fail(elsewhere === undefined ? "no-exit-reason" : "exit-reason-elsewhere", subject, {
          ...detail,
          observed: "nothing",
          related,
        });
      }
    }
  },
  judgeRun(run, tell) {
    if (run.roots.length === 0 && run.calls.length > 0) {
      tell.unknown(run.isCertain ? "no-root" : "late", run.subject(run.calls[0]?.span));
    }
  },
};

// Exit reasons on spans that are not roots, by the run id that the span carries.
function misplacedEnds(trace: SealedTrace): ReadonlyMap<string | undefined, NotableSpan> {
  const ends = new Map<string | undefined, NotableSpan>();
  for (const span of trace.spans) {
    const runId = runIdOf(span);
    const isEnd = typeof span.facts.labels?.["trustabl.exit_reason"] === "string";
    if (!isEnd || ends.has(runId) || (runId !== undefined && isRoot(trace, span, runId))) continue;
    ends.set(runId, span);
  }
  return ends;
}
