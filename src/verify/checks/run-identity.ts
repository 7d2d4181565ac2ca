import { strayOf } from "../engine/judge-trace.ts";
import type { RunRoot } from "../engine/run-state.ts";
import type { SealedRun } from "../engine/sealed-run.ts";
import { runIdOf } from "../engine/sealed-trace.ts";
import type { Check, Subject, Tell } from "./check.ts";

/** Tool spans carry the run id of their root, and one run id stands for one run. */
export const runIdentity: Check = {
  id: "run-identity",
  title: "Tool calls carry the id of their run, and of no other",
  level: "error",
  why: "Every rule groups calls by run id: a wrong one mixes two runs, a missing one pools all such calls as one run.",
  pass: "Every labelled tool call carries the run id of its root.",
  fail: {
    "different-run": "A tool span carries another run id than the span above it.",
    "no-run-id": "A labelled tool span carries no run id, although the span above it does.",
    "outside-run":
      "A tool span carries an attempt, which counts within a run, and no run id; nor does any span above it.",
    "root-unlabelled": "Tool spans carry a run id; the agent's span above them carries none.",
    "shared-by-runs": "Two root spans that ran at the same time carry the same run id.",
  },
  unknown: {
    "no-root":
      "No span above the run's tool calls carries its run id: the root is not in the export, or never ended.",
    "attributes-dropped":
      "The SDK dropped attributes of the span because of its limits; the run id may be among them.",
    "roots-overlap":
      "Two spans that ran at the same time carry the same run id; spans above them are missing, so that they may be parts of one run.",
    "other-tree":
      "A tool span carries the id of a run whose root is in another tree: LangChain's callback queue can hang spans below another request. LANGCHAIN_CALLBACKS_BACKGROUND=false prevents it.",
    late: "Spans of this run came after the run had been judged.",
  },
  notApplicable: "No tool call is labelled.",
  fix: "Create one Run for each run and never share one between concurrent runs: withRun() does both. Mark the agent's own root span, or the span that the application puts around the run.",
  judgeTrace(trace, tell) {
    for (const { span } of trace.calls) {
      const { labels, droppedAttributes } = span.facts;
      const owner = trace.above(span).owner;
      // Without labels another check speaks, and so for a run id of the wrong form.
      if (labels === undefined || labels["trustabl.run_id"] === null) continue;
      if (owner === undefined) {
        // Nothing above is labelled: the run's checks find the root elsewhere, or the call was outside any run. Where it says
        // so by carrying no attempt either, another check speaks.
        if (!trace.isCertain(span)) tell.unknown("late", trace.subject(span));
        else if (runIdOf(span) === undefined && labels["trustabl.tool.attempt"] !== undefined) {
          const detail = { attribute: "trustabl.run_id", observed: "nothing" };
          if (droppedAttributes) tell.unknown("attributes-dropped", trace.subject(span), detail);
          else tell.fail("outside-run", trace.subject(span), detail);
        }
        continue;
      }
      const [own, expected] = [runIdOf(span), runIdOf(owner)];
      const subject = trace.subject(span);
      const detail = {
        attribute: "trustabl.run_id",
        observed: own ?? "nothing",
        expected,
        related: trace.anchor(owner),
      };
      if (own === expected) tell.pass(subject);
      // Whether the label or the link is wrong shows when the whole run is there.
      else if (strayOf(trace, span) !== undefined) continue;
      else if (own === undefined && droppedAttributes) tell.unknown("attributes-dropped", subject, detail);
      else tell.fail(own === undefined ? "no-run-id" : "different-run", subject, detail);
    }
  },
  judgeRun(run, tell) {
    judgeRoots(run, tell);
    judgeOverlaps(run, tell);
    judgeStrays(run, tell);
  },
};

function judgeRoots(run: SealedRun, tell: Tell<Subject>): void {
  const { unlabelledRoot } = run;
  const [first] = run.calls;
  if (run.roots.length > 0 || first === undefined) return;
  const attribute = "trustabl.run_id";
  if (!run.isCertain) tell.unknown("late", run.subject(first.span));
  else if (unlabelledRoot === undefined) tell.unknown("no-root", run.subject(first.span));
  else if (unlabelledRoot.droppedAttributes) {
    tell.unknown("attributes-dropped", run.subject(unlabelledRoot.span), { attribute });
  } else {
    tell.fail("root-unlabelled", run.subject(unlabelledRoot.span), {
      attribute,
      observed: "nothing",
      expected: run.id,
      related: first.span,
    });
  }
}

// A run that goes on later (an approval) has several roots, one after the other. Two at the same time, with no agent
// above both, are two runs.
function judgeOverlaps(run: SealedRun, tell: Tell<Subject>): void {
  let latest: RunRoot | undefined;
  for (const root of run.roots) {
    if (latest?.end !== undefined && latest.group !== root.group && latest.end > root.span.start + run.skew) {
      const detail = { attribute: "trustabl.run_id", observed: run.id, related: latest.span };
      if (latest.isCertain && root.isCertain) tell.fail("shared-by-runs", run.subject(root.span), detail);
      else tell.unknown("roots-overlap", run.subject(root.span), detail);
    }
    if ((root.end ?? 0) > (latest?.end ?? 0)) latest = root;
  }
}

function judgeStrays(run: SealedRun, tell: Tell<Subject>): void {
  for (const { span, stray } of run.calls) {
    if (stray === undefined) continue;
    const detail = {
      attribute: "trustabl.run_id",
      observed: run.id,
      expected: stray.runId,
      related: stray.owner,
    };
    if (run.roots.length > 0) tell.unknown("other-tree", run.subject(span), detail);
    else if (run.isCertain) tell.fail("different-run", run.subject(span), detail);
    else tell.unknown("late", run.subject(span), detail);
  }
}
