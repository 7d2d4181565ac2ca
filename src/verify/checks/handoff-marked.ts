import type { SealedTrace } from "../engine/sealed-trace.ts";
import type { NotableSpan } from "../engine/span-record.ts";
import type { Check } from "./check.ts";

const attribute = "trustabl.handoff_id";

/** A delegated agent's span says which delegation it came from. */
export const handoffMarked: Check = {
  id: "handoff-marked",
  title: "Every delegated agent says which delegation it came from",
  level: "warning",
  why: "Without it the work of a delegated agent cannot be told from its parent's, nor two delegations from each other.",
  pass: "Every delegated agent's span carries a trustabl.handoff_id of its own.",
  fail: {
    unmarked: "A delegated agent's span carries no handoff id.",
    "not-unique": "Two delegations of a trace carry the same handoff id.",
  },
  unknown: {
    unclear: "An agent's span stands below another agent's; whether that is a delegation cannot be told.",
    "attributes-dropped":
      "The SDK dropped attributes of the span because of its limits; the handoff id may be among them.",
    late: "The span came so late that the spans above it are forgotten.",
  },
  notApplicable: "No agent delegated to another.",
  fix: "Call markHandoff(span, id) on the child agent's span with an id of its own for each delegation.",
  judgeTrace(trace, tell) {
    const seen = new Map<string, NotableSpan>();
    for (const span of trace.spans) {
      const { labels, droppedAttributes } = span.facts;
      const id = labels?.[attribute];
      const subject = trace.subject(span);
      if (typeof id === "string") {
        const other = seen.get(id);
        if (other === undefined) seen.set(id, span);
        if (!trace.isCertain(span)) tell.unknown("late", subject, { attribute });
        else if (other === undefined || isBelow(trace, span, other)) tell.pass(subject);
        else tell.fail("not-unique", subject, { attribute, observed: id, related: trace.anchor(other) });
        continue;
      }
      const delegation = id === null ? "no" : delegationOf(trace, span);
      if (delegation === "no") continue;
      else if (droppedAttributes) tell.unknown("attributes-dropped", subject, { attribute });
      else if (!trace.isCertain(span)) tell.unknown("late", subject, { attribute });
      else if (delegation === "unclear") tell.unknown("unclear", subject, { attribute });
      else tell.fail("unmarked", subject, { attribute, observed: "nothing" });
    }
  },
};

// Instrumentations nest spans of one agent (the run, the workflow, the agent, its turns) and applications put a span of
// their own around, so an agent below an agent is a delegation only if something says so: a tool call between the two,
// a mark, or another name from the same instrumentation.
function delegationOf(trace: SealedTrace, span: NotableSpan): "yes" | "no" | "unclear" {
  const { role, delegated, agentName, scope, workflow, convention } = span.facts;
  if (role !== "agent") return "no";
  if (delegated) return "yes";
  const { actor } = trace.above(span);
  if (actor === undefined) return trace.isCertain(span) ? "no" : "unclear";
  if (actor.facts.role === "tool") return "yes";
  if (workflow || actor.facts.workflow || actor.facts.scope !== scope) return "no";
  if (THROUGH_TOOLS.has(convention ?? "") || scope === "gen_ai") return "no";
  if (agentName === undefined || actor.facts.agentName === undefined) return "unclear";
  return agentName === actor.facts.agentName ? "no" : "yes";
}

// Here an agent reaches another through a tool call, or the hand-over is marked; "gen_ai" is AI SDK 7's scope.
const THROUGH_TOOLS: ReadonlySet<string> = new Set(["ai-sdk", "openinference", "mastra"]);

// Several spans of one delegated agent may carry its id.
function isBelow(trace: SealedTrace, span: NotableSpan, other: NotableSpan): boolean {
  let above = trace.above(span).notable;
  for (let level = 0; above !== undefined && level < 64; level += 1) {
    if (above === other) return true;
    above = trace.above(above).notable;
  }
  return false;
}
