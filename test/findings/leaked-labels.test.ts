import { describe, expect, it } from "vitest";
import { FINDINGS_FORMATS, findings, formatFindings, type RuleFinding } from "../../src/findings/index.ts";
import { binding, call, root } from "../verify/support/build.ts";

const WITHHELD = "(withheld: it holds content)";
const args = { passenger: "Ada Lovelace", city: "San Francisco" };
const LEAK = /Ada|Lovelace|Francisco/;

/** Three equal calls in a run, in an order in which the root comes last, as SDKs export them. */
const loop = (runId: string, given: unknown = args) => [
  ...[0, 1, 2].map((step) =>
    call(`c${step}`, { step, attempt: step + 1, args: given, attributes: { "trustabl.run_id": runId } }),
  ),
  root("root", { attributes: { "trustabl.run_id": runId } }),
];

describe("a label that holds captured content", () => {
  it("is withheld in the findings, and in every rendering of them", () => {
    const report = findings(loop("Ada Lovelace"), { maxRuns: 5 });
    expect(report.findings.map(({ rule, runId }) => [rule, runId])).toContainEqual(["tool_loop", WITHHELD]);
    for (const format of FINDINGS_FORMATS) expect(formatFindings(report, { format })).not.toMatch(LEAK);
    expect(report.runs?.[0]?.runId).toBe(WITHHELD);
  });

  it("is withheld in evidence too, where values of several spans are put together", () => {
    const policy = (version: string) =>
      binding("p Ada Lovelace", { "trustabl.policy.binding.version": version });
    const spans = [
      root("root", { events: [policy("San Francisco"), policy("3")] }),
      call("a", { args, attributes: { "trustabl.handoff_id": "Ada Lovelace" } }),
    ];
    const [drift] = findings(spans, { only: ["policy_drift"] }).findings;
    expect(drift?.evidence).toMatchObject({
      "trustabl.policy.binding.id": WITHHELD,
      "trustabl.policy.binding.version": WITHHELD,
    });
    expect(drift?.evidence.count).toBe(2);
  });

  it("is withheld while spans still arrive", () => {
    const told: RuleFinding[] = [];
    findings(loop("Ada Lovelace"), { onFinding: (finding) => told.push(finding) });
    expect(told.map(({ rule }) => rule)).toContain("tool_loop");
    expect(told.map(({ runId }) => runId)).toEqual(told.map(() => WITHHELD));
  });

  it("is withheld when it holds one of the secrets, although nothing was captured", () => {
    const report = findings(loop("hunter2-run", {}), { secrets: ["hunter2"] });
    expect(report.findings.length).toBeGreaterThan(0);
    expect(JSON.stringify(report)).not.toContain("hunter2");
    expect(() => findings([], { secrets: [" "] })).toThrowError(
      expect.objectContaining({ code: "empty_secret" }),
    );
  });

  it("is the only thing that is withheld", () => {
    const report = findings(loop("0123456789abcdef"));
    expect(report.findings.length).toBeGreaterThan(0);
    expect(JSON.stringify(report)).not.toContain("withheld");
    const [leaky] = findings(loop("Ada Lovelace"), { only: ["tool_loop"] }).findings;
    expect(leaky?.evidence).toMatchObject({
      "gen_ai.tool.name": "search",
      "trustabl.step_index": 2,
      count: 3,
    });
    expect(leaky?.evidence["trustabl.tool.input_fp"]).toMatch(/^[0-9a-f]{16}$/);
  });
});
