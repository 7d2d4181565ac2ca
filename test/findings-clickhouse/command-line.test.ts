import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findings } from "../../src/findings/index.ts";
import { runMain } from "../cli/support/run-main.ts";
import { ClickHouse } from "./clickhouse.ts";
import { generateRuns } from "./generate.ts";

describe("what otel-labels sql prints", () => {
  const clickHouse = new ClickHouse();
  const spans = generateRuns(60, 13);

  beforeAll(() => clickHouse.insert(spans), 600_000);
  afterAll(() => clickHouse.close());

  it.each([[[]], [["--literal"]]])("runs as it is, and finds what the evaluator finds: %s", async (more) => {
    const { stdout } = await runMain(["sql", "--all", "--from", "2020-01-01T00:00:00Z", ...more]);
    const statements = stdout.split(/;\n/).filter((statement) => statement.trim() !== "");
    const lines = statements
      .flatMap((statement) => clickHouse.run(statement).split("\n"))
      .filter((line) => line !== "");
    clickHouse.run("DROP TABLE trustabl_rows");
    const report = findings(spans, { literal: more.length > 0, maxOpenSpans: 1_000_000 });
    const counts = (rules: readonly string[]) =>
      [...new Set(rules)].sort().map((rule) => [rule, rules.filter((one) => one === rule).length]);
    expect(report.findings.length).toBeGreaterThan(100);
    expect(counts(lines.map((line) => (JSON.parse(line) as { rule: string }).rule))).toEqual(
      counts(report.findings.map(({ rule }) => rule)),
    );
  });
});
