import { describe, expect, it } from "vitest";
import { RULE_IDS, SQL_CHECK_IDS } from "../../../src/findings/index.ts";
import { checks } from "../../../src/verify/index.ts";
import { runMain } from "../support/run-main.ts";

describe("sql", () => {
  it("prints one rule, with its parameters set before it", async () => {
    const { code, stdout } = await runMain([
      "sql",
      "--rule",
      "tool_loop",
      "--from",
      "2026-11-30T00:00:00Z",
      "--run",
      "it's",
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^SET param_from = '2026-11-30 00:00:00\.000';\nSET param_run_id = 'it\\'s';\n-- tool_loop: /,
    );
    expect(stdout).toMatch(/ORDER BY run_id, trace_id, span_id;\n$/);
  });

  it("prints all rules behind one table of rows", async () => {
    const { stdout } = await runMain(["sql", "--all", "--table", "otel.otel_traces", "--literal"]);
    expect(stdout.match(/CREATE TEMPORARY TABLE trustabl_rows AS/g)).toHaveLength(1);
    for (const rule of RULE_IDS) expect(stdout).toContain(`-- ${rule}: `);
    expect(stdout.match(/^exported AS/gm)).toHaveLength(1);
  });

  it.each(SQL_CHECK_IDS)("prints the check %s, and what it finds in words", async (check) => {
    const { code, stdout } = await runMain(["sql", "--check", check, "--from", "6h", "--run", "r"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`^SET param_from = '[^']+';\\nSET param_run_id = 'r';\\n-- ${check}: `),
    );
    for (const message of Object.values(checks.find(({ id }) => id === check)?.fail ?? {}))
      expect(stdout).toContain(message.replaceAll("'", "\\'"));
  });

  it("refuses what no query can be made of", async () => {
    const refused = async (...argv: string[]) => {
      const { code, stdout, stderr } = await runMain(["sql", ...argv]);
      expect([code, stdout]).toEqual([2, ""]);
      return stderr;
    };
    expect(await refused()).toContain("give one of --rule ID, --check ID and --all");
    expect(await refused("--check", "step-order", "--all")).toContain("give one of");
    expect(await refused("--check", "no-content")).toContain(
      "there is no SQL for such a check; there is for",
    );
    expect(await refused("--check", "step-order", "--literal")).toContain("checks have one reading");
    expect(await refused("--all", "--rule", "tool_loop")).toContain("give one of");
    expect(await refused("--rule", "no_rule")).toContain("there is no such rule");
    expect(await refused("--all", "--table", "a; DROP TABLE b")).toContain("a table is called");
    expect(await refused("--all", "--to", "soon")).toContain("--to needs a time");
  });
});
