import { describe, expect, it } from "vitest";
import { verify } from "../../../src/verify/index.ts";
import { agent, call, findingsOf, judged, resultOf, root, span } from "../support/build.ts";

const check = "handoff-marked";
const marked = (id: string) => ({ attributes: { "trustabl.handoff_id": id } });
const named = (name: string, scope: string) => ({ scope, attributes: { "gen_ai.agent.name": name } });

describe(check, () => {
  it("passes when each delegated agent has an id of its own", () => {
    const spans = [
      root(),
      call("a"),
      agent("one", { parent: "a", ...marked("d1") }),
      call("b", { step: 1 }),
      agent("two", { parent: "b", ...marked("d2") }),
    ];
    expect(judged(check, spans)).toBe("pass");
  });

  it("is not applicable when no agent delegated", () => {
    expect(judged(check, [root(), call("a")])).toBe("not-applicable");
  });

  it("fails on an agent below a tool call without an id: a warning", () => {
    const spans = [root(), call("a"), agent("child", { parent: "a" })];
    expect(findingsOf(check, spans)[0]).toMatchObject({ reason: "unmarked", level: "warning" });
    expect(verify(spans).verdict).toBe("pass");
  });

  it("is an error in strict mode", () => {
    const spans = [root(), call("a"), agent("child", { parent: "a" })];
    const report = verify(spans, { strict: true });
    expect(resultOf(report, check).level).toBe("error");
    expect(report.verdict).toBe("fail");
  });

  it("fails on one id for two delegations", () => {
    const spans = [
      root(),
      call("a"),
      agent("one", { parent: "a", ...marked("d1") }),
      call("b", { step: 1 }),
      agent("two", { parent: "b", ...marked("d1") }),
    ];
    expect(judged(check, spans)).toBe("fail: not-unique");
  });

  it("accepts one id on several spans of one delegated agent", () => {
    const spans = [
      root(),
      call("a"),
      agent("run", { parent: "a", ...marked("d1") }),
      agent("turn", { parent: "run", ...marked("d1") }),
    ];
    expect(judged(check, spans)).toBe("pass");
  });

  it("sees a hand-over that OpenInference marks, and no other agent below an agent", () => {
    const openinference = (id: string, parent: string | undefined, more: object = {}) =>
      span(id, {
        ...(parent === undefined ? {} : { parent }),
        scope: "openinference",
        attributes: { "openinference.span.kind": "AGENT", "graph.node.id": id, ...more },
      });
    const spans = [openinference("run", undefined), openinference("triage", "run")];
    expect(judged(check, spans)).toBe("not-applicable");
    const handed = openinference("specialist", "run", { "graph.node.parent_id": "triage" });
    expect(judged(check, [...spans, handed])).toBe("fail: unmarked");
  });

  it("takes another name from the same instrumentation for a delegation", () => {
    const spans = [
      agent("top", named("planner", "adk")),
      agent("sub", { parent: "top", ...named("booker", "adk") }),
    ];
    expect(judged(check, spans)).toBe("fail: unmarked");
    const turn = agent("sub", { parent: "top", ...named("planner", "adk") });
    expect(judged(check, [agent("top", named("planner", "adk")), turn])).toBe("not-applicable");
  });

  it("does not take the framework's agent below the application's own root for one", () => {
    const spans = [
      agent("top", named("desk", "my-app")),
      agent("sub", { parent: "top", ...named("model-1", "strands-agents") }),
    ];
    expect(judged(check, spans)).toBe("not-applicable");
  });

  it.each(["invoke_workflow", "invoke_graph", "invoke_swarm"])(
    "does not take the agents of a workflow for delegations: %s",
    (operation) => {
      const attributes = { "gen_ai.operation.name": operation, "gen_ai.agent.name": "graph" };
      const workflow = agent("top", { attributes, scope: "lit" });
      const inside = agent("sub", {
        parent: "top",
        scope: "lit",
        attributes: { "gen_ai.agent.name": "first" },
      });
      expect(judged(check, [workflow, inside])).toBe("not-applicable");
    },
  );

  it("is unknown where the spans do not say", () => {
    const nameless = { scope: "lit", attributes: { "gen_ai.agent.name": undefined } };
    const spans = [agent("top", nameless), agent("sub", { parent: "top", ...nameless })];
    expect(judged(check, spans)).toBe("unknown: unclear");
  });

  it("is unknown when the id may have been dropped", () => {
    const spans = [root(), call("a"), agent("child", { parent: "a", droppedAttributes: 1 })];
    expect(judged(check, spans)).toBe("unknown: attributes-dropped");
  });
});
