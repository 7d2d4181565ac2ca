import { describe, expect, it } from "vitest";
import { agent, call, findingsOf, judged, RUN, root, span } from "../support/build.ts";

const check = "run-identity";
const OTHER = "00000000000000bb";
const elsewhere = "22222222222222222222222222222222";

describe(check, () => {
  it("passes when tool spans carry the run id of their root", () => {
    expect(judged(check, [root(), call("a"), call("b", { step: 1 })])).toBe("pass");
  });

  it("is not applicable without labels", () => {
    expect(judged(check, [agent("root")])).toBe("not-applicable");
  });

  it("fails on another run's id, and shows both", () => {
    const spans = [root(), call("a", { attributes: { "trustabl.run_id": OTHER } })];
    expect(findingsOf(check, spans)[0]).toMatchObject({
      reason: "different-run",
      observed: OTHER,
      expected: RUN,
    });
  });

  it("fails on a labelled call without a run id below a labelled root", () => {
    const spans = [root(), call("a", { attributes: { "trustabl.run_id": undefined } })];
    expect(judged(check, spans)).toBe("fail: no-run-id");
  });

  describe("a labelled call without a run id where nothing above carries one", () => {
    const lost = { parent: undefined as never, attributes: { "trustabl.run_id": undefined } };
    const others = [root(), call("b", { step: 1 })];

    it("fails, alone in its trace or below an agent without labels", () => {
      expect(judged(check, [...others, call("a", { ...lost, trace: elsewhere })])).toBe("fail: outside-run");
      expect(judged(check, [agent("root"), call("a", { ...lost, parent: "root" })])).toBe(
        "fail: outside-run",
      );
    });

    it("is unknown when the SDK dropped attributes of it", () => {
      const dropped = call("a", { ...lost, trace: elsewhere, droppedAttributes: 1 });
      expect(judged(check, [...others, dropped])).toBe("unknown: attributes-dropped");
    });

    it("is left to another check where the call carries no attempt either: it was outside any run", () => {
      const outside = { "trustabl.run_id": undefined, "trustabl.tool.attempt": undefined };
      const spans = [...others, call("a", { ...lost, trace: elsewhere, attributes: outside })];
      expect(judged(check, spans)).toBe("pass");
      expect(judged("tool-span-labelled", spans)).toMatch(/^fail/);
    });
  });

  it("fails when the agent above carries no run id at all", () => {
    const spans = [root("root", { attributes: { "trustabl.run_id": undefined } }), call("a")];
    expect(judged(check, spans)).toBe("fail: root-unlabelled");
  });

  describe("LangChain's spans, which its callback queue can hang below another request", () => {
    const scope = "@arizeai/openinference-instrumentation-langchain";
    const other = { "trustabl.run_id": OTHER };
    const stray = call("a", { scope, parent: "first", attributes: other });

    it("are unknown when the run they name has its root elsewhere", () => {
      const spans = [root("first"), root("second", { trace: elsewhere, attributes: other }), stray];
      expect(judged(check, spans)).toBe("unknown: other-tree");
    });

    it("fail when the run they name is nowhere", () => {
      expect(judged(check, [root("first"), stray])).toBe("fail: different-run: unknown no-root");
    });

    it("are an exception: other instrumentations link spans where they are made", () => {
      const spans = [
        root("first"),
        root("second", { trace: elsewhere, attributes: other }),
        call("a", { parent: "first", attributes: other }),
      ];
      expect(judged(check, spans)).toBe("fail: different-run");
    });
  });

  it("compares a delegated agent's calls with the nearest labelled span", () => {
    const inner = root("inner", {
      parent: "a",
      start: 110,
      end: 190,
      attributes: { "trustabl.run_id": OTHER },
    });
    const spans = [
      root(),
      call("a", { end: 200 }),
      inner,
      call("b", { parent: "inner", attributes: { "trustabl.run_id": OTHER } }),
    ];
    expect(judged(check, spans)).toBe("pass");
  });

  describe("one run id on several roots", () => {
    it("passes one after the other, also in another trace: an approval that was granted later", () => {
      const spans = [
        root("first", { end: 50 }),
        root("second", { trace: elsewhere, start: 5_000, end: 6_000 }),
        call("a", { trace: elsewhere, parent: "second", start: 5_100 }),
      ];
      expect(judged(check, spans)).toBe("pass");
    });

    it("fails at the same time", () => {
      const spans = [
        root("first", { end: 4_000 }),
        root("second", { trace: elsewhere, start: 500, end: 2_000 }),
        call("a", { parent: "first" }),
      ];
      expect(judged(check, spans)).toBe("fail: shared-by-runs");
    });

    it("fails at the same time below one request", () => {
      const spans = [
        span("http", { end: 5_000 }),
        root("first", { parent: "http", end: 4_000 }),
        root("second", { parent: "http", start: 500, end: 2_000 }),
        call("a", { parent: "first" }),
      ];
      expect(judged(check, spans)).toBe("fail: shared-by-runs");
    });

    it("passes at the same time below one agent, which ran them as parts of its job", () => {
      const spans = [
        agent("top", { end: 5_000 }),
        root("first", { parent: "top", end: 4_000 }),
        root("second", { parent: "top", start: 500, end: 2_000 }),
        call("a", { parent: "first" }),
      ];
      expect(judged(check, spans)).toBe("pass");
    });

    it("is unknown where spans above them are missing", () => {
      const spans = [
        root("first", { parent: "gone", end: 4_000 }),
        root("second", { parent: "lost", start: 500, end: 2_000 }),
        call("a", { parent: "first" }),
      ];
      expect(judged(check, spans)).toBe("unknown: roots-overlap");
    });

    it("allows for clocks that differ a little", () => {
      const spans = [
        root("first", { end: 1_015 }),
        root("second", { start: 1_000, end: 2_000 }),
        call("a", { parent: "first" }),
      ];
      expect(judged(check, spans)).toBe("pass");
      expect(judged(check, spans, { skewMilliseconds: 5 })).toBe("fail: shared-by-runs");
    });
  });

  it("is unknown when no root is in the export", () => {
    expect(judged(check, [call("a")])).toBe("unknown: no-root");
    const missing = agent("agent", { parent: "never-exported" });
    expect(judged(check, [missing, call("a", { parent: "agent" })])).toBe("unknown: no-root");
  });

  it("is unknown when attributes were dropped where the run id should be", () => {
    const lost = { attributes: { "trustabl.run_id": undefined }, droppedAttributes: 1 };
    expect(judged(check, [root(), call("a", lost)])).toBe("unknown: attributes-dropped");
    expect(judged(check, [root("root", lost), call("a")])).toBe("unknown: attributes-dropped");
  });

  it("joins spans of one run over traces when every span is a trace of its own", () => {
    const spans = [
      root(),
      ...["1", "2", "3"].map((digit, step) =>
        call(digit, { trace: digit.repeat(32), parent: undefined as never, step }),
      ),
    ];
    expect(judged(check, spans)).not.toMatch(/^fail/);
  });

  it("does not take a parent's end for a limit: children may end later", () => {
    expect(judged(check, [root("root", { end: 105 }), call("a", { end: 900 })])).toBe("pass");
  });
});
