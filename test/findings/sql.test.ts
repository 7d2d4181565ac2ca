import { describe, expect, it } from "vitest";
import { checkSql, findingsRowsSql, findingsSql, RULE_IDS, SQL_CHECK_IDS } from "../../src/findings/index.ts";

describe("the SQL of a rule", () => {
  it.each(RULE_IDS)(
    "of %s says what it looks for, and takes everything that is given as a parameter",
    (rule) => {
      const { sql, parameters } = findingsSql(rule, {
        table: "otel.otel_traces",
        from: new Date("2026-11-30T00:00:00Z"),
        to: new Date("2026-12-01T00:00:00Z"),
        runId: "run'; DROP TABLE x",
      });
      expect(sql).toMatch(new RegExp(`^-- ${rule}: `));
      expect(sql).toContain("`otel`.`otel_traces`");
      expect(sql).not.toContain("DROP");
      expect(parameters).toEqual({
        from: "2026-11-30 00:00:00.000",
        to: "2026-12-01 00:00:00.000",
        run_id: "run'; DROP TABLE x",
      });
      const used = [...sql.matchAll(/\{(\w+):[^}]+\}/g)].map(([, name]) => name);
      expect(new Set(used)).toEqual(new Set(["from", "to", "run_id"]));
    },
  );

  it.each(RULE_IDS)("of %s only reads", (rule) => {
    for (const literal of [false, true])
      expect(findingsSql(rule, { literal }).sql).not.toMatch(
        /\b(?:INSERT|ALTER|DROP|CREATE|DELETE|TRUNCATE|SYSTEM)\b/,
      );
  });

  it("reads a table of rows, where one is named", () => {
    const { sql } = findingsSql("tool_loop", { rows: "trustabl_rows" });
    expect(sql).toContain("FROM `trustabl_rows`");
    expect(sql).not.toContain("otel_traces");
    expect(findingsRowsSql().sql).toContain("otel_traces");
  });

  it("is not made for a rule that does not exist, a table that is no name, or a time that is none", () => {
    expect(() => findingsSql("no_rule" as "tool_loop")).toThrow(/there is no such rule/);
    for (const table of ["a b", "a;b", "a.b.c", "", "`a`", "1a"])
      expect(() => findingsSql("tool_loop", { table })).toThrow(/a table is called/);
    expect(() => findingsSql("tool_loop", { rows: "x y" })).toThrow(/a table is called/);
    expect(() => findingsSql("tool_loop", { from: new Date("never") })).toThrow(/times/);
  });
});

describe("the SQL of a check", () => {
  it.each(SQL_CHECK_IDS)("of %s only reads, and takes everything that is given as a parameter", (check) => {
    const { sql, parameters } = checkSql(check, {
      table: "otel.otel_traces",
      from: new Date("2026-11-30T00:00:00Z"),
      runId: "run'; DROP TABLE x",
    });
    expect(sql).toMatch(new RegExp(`^-- ${check}: `));
    expect(sql).not.toMatch(/\b(?:INSERT|ALTER|DROP|CREATE|DELETE|TRUNCATE|SYSTEM)\b/);
    expect(parameters).toEqual({ from: "2026-11-30 00:00:00.000", run_id: "run'; DROP TABLE x" });
    const used = [...sql.matchAll(/\{(\w+):[^}]+\}/g)].map(([, name]) => name);
    expect(new Set(used)).toEqual(new Set(["from", "run_id"]));
  });

  it("is not made for a check that needs more than the table holds", () => {
    for (const check of ["no-content", "fingerprint-true", "constructor"])
      expect(() => checkSql(check as "step-order")).toThrow(/there is no SQL for such a check/);
  });
});
