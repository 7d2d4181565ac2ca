import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findings, RULE_IDS } from "../../src/findings/index.ts";
import { examinedSql } from "../../src/findings/sql/examined-sql.ts";
import { ClickHouse } from "./clickhouse.ts";
import { generateRuns } from "./generate.ts";

interface Examined {
  readonly runs: number | string;
  readonly calls: number | string;
  readonly examined: Readonly<Record<string, number | string>>;
  readonly waiting: readonly string[];
}

describe.each([false, true])("what each rule looked at, literal: %s", (literal) => {
  const clickHouse = new ClickHouse();
  const spans = generateRuns(120, 17);
  const report = findings(spans, { literal, maxOpenSpans: 1_000_000 });

  beforeAll(() => clickHouse.insert(spans), 600_000);
  afterAll(() => clickHouse.close());

  it("is counted as the streaming evaluator counts it", () => {
    const [row] = clickHouse.rows<Examined>(examinedSql(RULE_IDS, { literal }));
    const { runs, calls, examined, waiting } = row as Examined;
    expect(
      Object.fromEntries(Object.entries(examined).map(([rule, count]) => [rule, Number(count)])),
    ).toEqual(Object.fromEntries(report.rules.map(({ rule, counts }) => [rule, counts.examined])));
    expect([Number(runs), Number(calls)]).toEqual([report.examined.runs, report.examined.toolCalls]);
    expect(waiting).toEqual([]);
  });

  it("is of one run, where one is asked for", () => {
    const runId = report.findings.find((one) => one.rule === "policy_absent")?.runId as string;
    const own = findings(spans, { literal, run: runId, maxOpenSpans: 1_000_000 });
    const [row] = clickHouse.rows<Examined>(examinedSql(RULE_IDS, { literal, runId }));
    for (const { rule, counts } of own.rules) {
      expect([rule, Number(row?.examined[rule])]).toEqual([rule, counts.examined]);
    }
  });
});

describe("rules that read what other programs write", () => {
  const clickHouse = new ClickHouse();
  afterAll(() => clickHouse.close());

  it("wait where nobody writes it", () => {
    clickHouse.insert(
      generateRuns(20, 19).map((span) => ({
        ...span,
        attributes: Object.fromEntries(
          Object.entries(span.attributes).filter(([name]) => !name.startsWith("trustabl.constraint.")),
        ),
      })),
    );
    const [row] = clickHouse.rows<Examined>(examinedSql(RULE_IDS));
    expect(row?.waiting).toEqual(["irreversible_unguarded", "constraint_hit"]);
  });
});
