import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createFindings,
  type FindingsReport,
  findings,
  isSevereFinding,
  type RuleFinding,
} from "../../src/findings/index.ts";
import { createOtlpReader, type SpanView } from "../../src/verify/index.ts";
import { generateRuns } from "../findings-clickhouse/generate.ts";
import { binding, call, root, span } from "../verify/support/build.ts";

const same = { q: "same" };
const loop = (trace?: string, run = "00000000000000aa"): SpanView[] => {
  const own = { attributes: { "trustabl.run_id": run }, ...(trace === undefined ? {} : { trace }) };
  return [
    root("root", own),
    ...[0, 1, 2].map((step) => call(`c${step}`, { ...own, step, attempt: step + 1, args: same })),
  ];
};
const essence = ({ findings: all, rules }: FindingsReport) => ({ all, rules });

describe("the streaming evaluator", () => {
  it("finds the same in any order, as long as the spans fit into the window", () => {
    const spans = generateRuns(12, 3);
    const expected = essence(findings(spans));
    expect(expected.all.length).toBeGreaterThan(20);
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: spans.length, maxLength: spans.length }), (keys) => {
        const shuffled = spans
          .map((one, index) => ({ one, key: keys[index] as number }))
          .sort((a, b) => a.key - b.key);
        expect(essence(findings(shuffled.map(({ one }) => one)))).toEqual(expected);
      }),
      { numRuns: 12 },
    );
  });

  it("finds nothing more in spans that were exported twice", () => {
    const spans = generateRuns(12, 5);
    expect(essence(findings([...spans, ...spans]))).toEqual(essence(findings(spans)));
  });

  it("takes the copy of a span that has more labels", () => {
    const bare = { ...root("root"), attributes: {} };
    expect(findings([bare, ...loop()]).examined.runs).toBe(1);
    expect(essence(findings([...loop(), bare]))).toEqual(essence(findings([bare, ...loop()])));
  });

  it("says what it could not judge, where a window that is too small cuts a run", () => {
    const first = loop();
    const others = Array.from({ length: 40 }, (_, index) =>
      loop(index.toString(16).padStart(32, "0"), `run-${index}`).slice(1),
    ).flat();
    const report = findings([...first.slice(1, 3), ...others, first[0] as SpanView, first[3] as SpanView], {
      maxOpenSpans: 8,
    });
    expect(report.incomplete).toBe(true);
    expect(report.rules.find(({ rule }) => rule === "tool_loop")?.counts.unknown).toBeGreaterThan(0);
    expect(report.rules.find(({ rule }) => rule === "tool_loop")?.message).toMatch(/could not be judged/);
  });

  it("cuts a run with too many calls, and says so", () => {
    const many = Array.from({ length: 1_200 }, (_, step) =>
      call(`c${step}`, { step, trace: step.toString(16).padStart(32, "0") }),
    );
    const report = findings([root("root"), ...many], { maxOpenSpans: 100 });
    expect(report.rules.find(({ rule }) => rule === "tool_loop")?.outcome).toBe("unknown");
  });

  it("keeps so many findings of a rule, and counts all", () => {
    const spans = Array.from({ length: 30 }, (_, index) =>
      loop(index.toString(16).padStart(32, "0"), `run-${index}`),
    ).flat();
    const report = findings(spans, { only: ["tool_loop"], maxFindings: 4 });
    expect(report.findings).toHaveLength(4);
    expect([report.omitted, report.rules[0]?.counts.found]).toEqual([26, 30]);
  });

  it("judges one run, where one is asked for", () => {
    const spans = [...loop(), ...loop("1".repeat(32), "other")];
    const report = findings(spans, { run: "other" });
    expect(new Set(report.findings.map(({ runId }) => runId))).toEqual(new Set(["other"]));
    expect(report.examined.runs).toBe(1);
  });

  it("shows no value that has not the form of its label", () => {
    const secret = "the patient has a cold";
    const hostile = call("a", {
      attributes: {
        "trustabl.constraint.decision": secret,
        "trustabl.constraint.kind": secret,
        "trustabl.tool.side_effect": secret,
        "trustabl.contract.sha256": secret,
        "trustabl.policy.bundle_id": secret,
        "trustabl.policy.bundle_sha256": secret,
      },
    });
    const events = [
      binding("p", { "trustabl.policy.binding.type": secret, "trustabl.policy.binding.sha256": secret }),
    ];
    const spans = [
      root("root", { events }),
      hostile,
      ...["old", "new"].map((hash, index) =>
        call(hash, {
          step: index + 1,
          attributes: {
            "trustabl.constraint.decision": "deny",
            "trustabl.constraint.kind": secret,
            "trustabl.constraint.reason_code": secret,
            "trustabl.contract.id": secret,
            "trustabl.contract.sha256": hash,
          },
        }),
      ),
    ];
    expect(findings(spans).findings.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(["contract_drift", "constraint_hit"]),
    );
    for (const literal of [false, true])
      expect(JSON.stringify(findings(spans, { literal }))).not.toContain("patient");
  });

  it("survives spans that throw when they are looked at, and counts them", () => {
    const bad = {
      ...span("bad"),
      get attributes(): never {
        throw new Error("no");
      },
    };
    expect(findings([bad as unknown as SpanView, ...loop()]).unreadable).toBe(1);
    const worse = {
      ...span("worse"),
      attributes: {
        get "trustabl.run_id"(): never {
          throw new Error("no");
        },
      },
    };
    expect(findings([worse, ...loop()]).unreadable).toBe(1);
  });

  it("is a sink for the readers", () => {
    const sink = createFindings();
    const reader = createOtlpReader(sink, { source: "traces.jsonl" });
    reader.write("this is no JSON\n");
    reader.end();
    expect(sink.finish()).toMatchObject({
      incomplete: true,
      unreadable: 1,
      problems: [{ code: "not-json" }],
    });
  });

  it("changes nothing after it has finished", () => {
    const sink = createFindings();
    const before = sink.finish();
    for (const one of loop()) sink.add(one);
    expect(sink.finish()).toBe(before);
  });

  it("refuses rules that do not exist, and limits that are none", () => {
    expect(() => createFindings({ only: ["tool_lop" as "tool_loop"] })).toThrow(
      /the rules are irreversible_unguarded, /,
    );
    expect(() => createFindings({ maxFindings: -1 })).toThrow(/integer/);
  });

  it("calls what is high or critical severe, and a mere record never", () => {
    const made = (severity: RuleFinding["severity"], shadow = false) => isSevereFinding({ severity, shadow });
    expect([made("critical"), made("high"), made("medium"), made("low"), made("critical", true)]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("findings while spans arrive", () => {
  const told = (spans: readonly SpanView[]): string[] => {
    const rules: string[] = [];
    const sink = createFindings({ onFinding: ({ rule }) => rules.push(rule) });
    for (const one of spans) sink.add(one);
    return rules;
  };

  it("come with the span that shows them, before the run has ended", () => {
    const [, ...calls] = loop();
    expect(told(calls.slice(0, 2))).toEqual([]);
    expect(told(calls)).toEqual(["tool_loop"]);
  });

  it("come once each, however many spans join them", () => {
    const calls = [0, 1, 2, 3, 4, 5].map((step) => call(`c${step}`, { step, attempt: step + 1, args: same }));
    expect(told(calls)).toEqual(["tool_loop", "retry_storm"]);
  });

  it("come of a root span when it ends, and not of an agent that hangs below something unknown", () => {
    expect(told([root("root")])).toEqual(["policy_absent", "dspm_unbound"]);
    expect(told([root("root", { parent: "app" })])).toEqual([]);
  });
});
