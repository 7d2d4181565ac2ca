import type { ReadLabels } from "../evidence/labels.ts";
import type { Check } from "./check.ts";

/** Labels of a call stand on tool spans and nowhere else. */
export const labelOnToolSpanOnly: Check = {
  id: "label-on-tool-span-only",
  title: "Labels of a call stand on tool spans only",
  level: "error",
  why: "A label on the wrong span is worse than none: calls overwrite each other there, and the span's own work is taken for a tool call.",
  pass: "No label of a call stands on a span that is not a tool span.",
  fail: {
    "on-agent-span": "An agent's span carries labels of a call.",
    "on-other-span": "A span that is neither a tool span nor an agent's carries labels of a call.",
    "on-no-call":
      "A span that is shaped like a tool call, and for which no tool function runs, carries labels of a call.",
  },
  unknown: {
    "attributes-dropped":
      "The SDK dropped attributes of the span because of its limits, so that its kind cannot be told.",
  },
  notApplicable: "There is no label of a call.",
  fix: "The tool's span was not current inside the tool. Add the span tracker and the framework's adapter, so that the label finds its span; do not set trustActiveSpan. Do not create a span to hold the labels.",
  judgeTrace(trace, tell) {
    for (const span of trace.spans) {
      const { role, labels, droppedAttributes } = span.facts;
      const attribute = labels === undefined ? undefined : callLabel(labels);
      if (attribute === undefined) continue;
      const subject = trace.subject(span);
      // A hand-over is a tool call to the model, and some frameworks run a function for it.
      if (role === "tool" || role === "handoff") tell.pass(subject);
      else if (role === "agent") tell.fail("on-agent-span", subject, { attribute });
      else if (role === "no_call") tell.fail("on-no-call", subject, { attribute });
      else if (droppedAttributes) tell.unknown("attributes-dropped", subject, { attribute });
      else tell.fail("on-other-span", subject, { attribute });
    }
  },
};

const callLabel = (labels: ReadLabels): string | undefined =>
  Object.keys(labels).find((name) => name === "trustabl.step_index" || name.startsWith("trustabl.tool."));
