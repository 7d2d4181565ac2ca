import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findings, findingsRowsSql, findingsSql, RULE_IDS } from "../../src/findings/index.ts";
import type { SpanView } from "../../src/verify/index.ts";
import { ClickHouse, lineOfFinding } from "./clickhouse.ts";
import { generateRuns } from "./generate.ts";

// The whole size is 5,000 runs, about 100,000 spans: FINDINGS_RUNS=5000.
const RUNS = Number(process.env.FINDINGS_RUNS ?? 600);
const TIMEOUT = 600_000;
const EVERYTHING = 1_000_000_000;

/** What the streaming evaluator finds, as lines. */
const streamed = (spans: readonly SpanView[], literal: boolean) =>
  findings(spans, { literal, maxFindings: EVERYTHING, maxOpenSpans: EVERYTHING });

describe.each([false, true])("the streaming evaluator and ClickHouse, literal: %s", (literal) => {
  const clickHouse = new ClickHouse();
  const spans = generateRuns(RUNS, 7);
  const report = streamed(spans, literal);

  beforeAll(() => {
    clickHouse.insert(spans);
    const { sql } = findingsRowsSql({ literal });
    clickHouse.run(`CREATE TABLE trustabl_rows ENGINE = MergeTree ORDER BY (run_id, trace_id) AS ${sql}`);
  }, TIMEOUT);
  afterAll(() => clickHouse.close());

  it.each(RULE_IDS)("find the same by %s, run by run, with the same evidence", (rule) => {
    const lines = report.findings.filter((finding) => finding.rule === rule).map(lineOfFinding);
    expect(clickHouse.findings(findingsSql(rule, { literal, rows: "trustabl_rows" }))).toEqual(lines.sort());
  });

  it("do so on spans on which every rule fires in some runs and not in others", () => {
    for (const { rule, outcome, counts } of report.rules) {
      // To the letter this one reads a label that no span of these carries twice with two values.
      if (literal && rule === "contract_drift") continue;
      expect([rule, outcome]).toEqual([rule, "found"]);
      const runs = new Set(report.findings.filter((one) => one.rule === rule).map(({ runId }) => runId));
      expect(counts.found).toBeGreaterThan(0);
      expect(runs.size, rule).toBeLessThan(report.examined.runs);
    }
  });
});

describe("a query by itself", () => {
  const clickHouse = new ClickHouse();
  const spans = generateRuns(60, 11);

  beforeAll(() => clickHouse.insert(spans), TIMEOUT);
  afterAll(() => clickHouse.close());

  it("gives the same without a table of rows", () => {
    const { findings: all } = streamed(spans, false);
    const lines = all.filter(({ rule }) => rule === "tool_loop").map(lineOfFinding);
    expect(lines.length).toBeGreaterThan(0);
    expect(clickHouse.findings(findingsSql("tool_loop"))).toEqual(lines.sort());
  });

  it("looks at one run only, where one is asked for", () => {
    const { findings: all } = streamed(spans, false);
    const runId = all.find(({ rule, runId: id }) => rule === "irreversible_unguarded" && id !== undefined)
      ?.runId as string;
    const { findings: own } = findings(spans, { run: runId, maxOpenSpans: EVERYTHING });
    const lines = own.filter(({ rule }) => rule === "irreversible_unguarded").map(lineOfFinding);
    expect(lines.length).toBeGreaterThan(0);
    expect(clickHouse.findings(findingsSql("irreversible_unguarded", { runId }))).toEqual(lines.sort());
  });

  it("looks at spans of a time only, where one is given", () => {
    const from = new Date("2027-01-01T00:00:00Z");
    expect(
      clickHouse.findings(findingsSql("tool_loop", { from, to: new Date(from.getTime() + 1_000) })),
    ).toEqual([]);
    expect(clickHouse.findings(findingsSql("tool_loop", { to: from })).length).toBeGreaterThan(0);
  });

  it("takes a run id that is no plain word as a value, not as SQL", () => {
    expect(clickHouse.findings(findingsSql("tool_loop", { runId: "' OR 1 = 1 --" }))).toEqual([]);
  });

  it("says nothing about unguarded calls where no other program writes decisions", () => {
    const empty = new ClickHouse();
    const undecided = spans.map((span) => ({
      ...span,
      attributes: Object.fromEntries(
        Object.entries(span.attributes).filter(([name]) => !name.startsWith("trustabl.constraint.")),
      ),
    }));
    empty.insert(undecided);
    expect(empty.findings(findingsSql("irreversible_unguarded"))).toEqual([]);
    expect(empty.findings(findingsSql("irreversible_unguarded", { literal: true })).length).toBeGreaterThan(
      0,
    );
    empty.close();
  });
});
