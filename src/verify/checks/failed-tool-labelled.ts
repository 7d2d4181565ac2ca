import type { Check } from "./check.ts";

/** A tool call that failed is labelled like any other. */
export const failedToolLabelled: Check = {
  id: "failed-tool-labelled",
  title: "A tool call that failed is labelled too",
  level: "error",
  why: "Failures are what retries and loops are made of; labels that only successes carry hide them.",
  pass: "Every tool call that failed is labelled.",
  fail: { unlabelled: "A tool call failed and its span carries no labels." },
  unknown: {
    "attributes-dropped":
      "The SDK dropped attributes of the span because of its limits; the labels may be among them.",
    late: "The span came so late that the spans above it are forgotten.",
  },
  notApplicable: "No tool call failed.",
  fix: "Label in a finally block, or let wrapTool() do it: it labels calls that throw, time out and return a failure.",
  judgeTrace(trace, tell) {
    for (const { span } of trace.calls) {
      if (!trace.hasFailed(span)) continue;
      const subject = trace.subject(span);
      const labels = Object.keys(span.facts.labels ?? {});
      if (labels.some((name) => name.startsWith("trustabl.tool."))) tell.pass(subject);
      // A call that was refused before the tool function ran was nobody's to label.
      else if (trace.mayNotHaveRun(span)) continue;
      else if (span.facts.droppedAttributes) tell.unknown("attributes-dropped", subject);
      else if (!trace.isCertain(span)) tell.unknown("late", subject);
      else tell.fail("unlabelled", subject, { observed: "no labels" });
    }
  },
};
