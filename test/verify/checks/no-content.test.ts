import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verify } from "../../../src/verify/index.ts";
import { binding, call, findingsOf, judged, root, span } from "../support/build.ts";

const check = "no-content";
const args = {
  customer: "00c0ffee00c0ffee",
  passenger: "Ada Lovelace",
  city: "San Francisco",
  card: 4_111_111_111_111_111,
};
const leaky = (attributes: Record<string, unknown>) => [root(), call("a", { args, attributes })];

describe(check, () => {
  it("passes when labels hold fingerprints, numbers and words", () => {
    expect(judged(check, [root("root", { events: [binding("egress")] }), call("a", { args })])).toBe("pass");
  });

  it("is not applicable without labels", () => {
    expect(judged(check, [span("a")])).toBe("not-applicable");
  });

  it.each([
    ["a run id that is an argument", { "trustabl.run_id": "Ada Lovelace" }],
    ["an id that holds an argument", { "trustabl.run_id": "run of Ada Lovelace today" }],
    ["an id that is a piece of a result", { "trustabl.handoff_id": "to Ada and the" }],
    ["a number of the arguments", { "trustabl.run_id": "card-4111111111111111" }],
    [
      "a run id of the usual form that is an argument all the same",
      { "trustabl.run_id": "00c0ffee00c0ffee" },
    ],
    ["an enum that is a result", { "trustabl.tool.side_effect": "Wings" }],
    ["the arguments as JSON", { "trustabl.tool.args": JSON.stringify(args) }],
    ["a list under a name of its own", { "trustabl.seen": ["x", "San Francisco"] }],
    ["another producer's label", { "trustabl.constraint.reason": "because of Ada Lovelace" }],
  ])("fails on %s", (_what, attributes) => {
    const spans = [
      root(),
      call("a", { args, result: { text: "sent to Ada and the crew", airline: "Wings" }, attributes }),
    ];
    const findings = findingsOf(check, spans);
    expect(findings.map(({ outcome }) => outcome)).toContain("fail");
    expect(JSON.stringify(findings)).not.toMatch(/Lovelace|Francisco|4111111|Wings/);
  });

  it("looks at the content of the whole trace: the label may stand on another span", () => {
    const spans = [
      root("root", { attributes: { "trustabl.exit_reason": "Ada Lovelace" } }),
      call("a", { args }),
    ];
    expect(judged(check, spans)).toBe("fail: content");
  });

  it("looks at policy events", () => {
    const events = [binding("San Francisco policy")];
    expect(judged(check, [root("root", { events }), call("a", { args })])).toBe("fail: content");
    const note = [binding("egress", { note: "Ada Lovelace" })];
    expect(judged(check, [root("root", { events: note }), call("a", { args })])).toBe("fail: content");
  });

  it("fails on text where no text belongs, also when nothing was captured", () => {
    const silent = { "gen_ai.tool.call.arguments": undefined, "gen_ai.tool.call.result": undefined };
    expect(judged(check, leaky({ ...silent, "trustabl.tool.error_class": "the desk did not answer" }))).toBe(
      "fail: free-text",
    );
    expect(judged(check, leaky({ ...silent, "trustabl.note": '{"a":1}' }))).toBe("fail: free-text");
  });

  it("does not take a word of the wrong form for text: another check speaks", () => {
    expect(judged(check, leaky({ "trustabl.tool.side_effect": "none" }))).toBe("pass");
  });

  it("is unknown where a trace's labels hold thousands of different texts", () => {
    const spans = Array.from({ length: 2_100 }, (_, step) =>
      call(`c${step}`, {
        step,
        args: { note: "nothing of note" },
        attributes: { "trustabl.handoff_id": `id ${step}` },
      }),
    );
    expect(judged(check, [root(), ...spans])).toBe("unknown: too-many-texts");
  });

  describe("what is no content", () => {
    const handoff = (id: string) => leaky({ "trustabl.handoff_id": id });

    it("a call id, a tool's name, an agent's name that results repeat", () => {
      const result = { kwargs: { tool_call_id: "call_a", name: "search", agent: "desk" } };
      for (const id of ["call_a", "search", "desk"]) {
        const spans = [root(), call("a", { result, attributes: { "trustabl.handoff_id": id } })];
        expect(judged(check, spans)).toBe("pass");
      }
    });

    it("an id that the application hands to its tools inside a longer text", () => {
      const spans = [root(), call("a", { args: { note: "part of job-4711-x, please" }, attributes: {} })].map(
        (one) => ({
          ...one,
          attributes: { ...one.attributes, "trustabl.run_id": "job-4711-x" },
        }),
      );
      expect(judged(check, spans)).toBe("pass");
    });

    it("dates and versions, which policies and results share", () => {
      const events = [binding("egress", { "trustabl.policy.binding.version": "2026-11-01" })];
      expect(judged(check, [root("root", { events }), call("a", { args: { date: "2026-11-01" } })])).toBe(
        "pass",
      );
    });

    it("a word inside a longer word", () => {
      const spans = (id: string) => [
        root(),
        call("a", { args: { q: "flight" }, attributes: { "trustabl.handoff_id": id } }),
      ];
      expect(judged(check, spans("inflight7"))).toBe("pass");
      expect(judged(check, spans("in-flight-7"))).toBe("fail: content");
    });

    it("short texts inside an id", () => {
      expect(judged(check, [root(), call("a", { args: { q: "aa", n: 12 } })])).toBe("pass");
      expect(handoff("ok")).toHaveLength(2);
    });
  });

  describe("secrets", () => {
    const secrets = ["sk-live-0042"];

    it.each([
      ["an id", { "trustabl.run_id": "run sk-live-0042" }],
      ["a nested value", { "trustabl.note": { deep: ["sk-live-0042"] } }],
      ["a name", { "trustabl.sk-live-0042": 1 }],
    ])("fails on a secret in %s, and does not repeat it", (_where, attributes) => {
      const report = verify(leaky(attributes), { secrets });
      expect(judged(check, leaky(attributes), { secrets })).toMatch(/^fail: .*secret/);
      expect(JSON.stringify(report)).not.toContain("sk-live");
    });

    it("looks for each secret as a text, not as a pattern", () => {
      expect(judged(check, leaky({}), { secrets: [".*", "0{16}"] })).toBe("pass");
    });
  });

  it("withholds a leaked run id wherever the report would show it", () => {
    const spans = ["root", "a"].map((id) =>
      (id === "root" ? root : call)(id, { attributes: { "trustabl.run_id": "Ada Lovelace" } }),
    );
    const report = verify([
      ...spans,
      call("b", { step: 3, args, attributes: { "trustabl.run_id": "Ada Lovelace" } }),
    ]);
    expect(report.runs).not.toHaveLength(0);
    expect(JSON.stringify(report)).not.toContain("Lovelace");
    expect(JSON.stringify(report)).toContain("withheld");
  });

  it("finds every captured text of some length in a label, and repeats none", () => {
    const text = fc.stringMatching(/^[A-Z][a-z]{5,12} [a-z]{3,12}$/);
    fc.assert(
      fc.property(text, text, (before, secret) => {
        const spans = [
          root(),
          call("a", { args: { note: secret }, attributes: { "trustabl.run_id": `${before} ${secret}` } }),
        ];
        const report = verify(spans);
        return judged(check, spans).startsWith("fail") && !JSON.stringify(report).includes(secret);
      }),
    );
  });
});
