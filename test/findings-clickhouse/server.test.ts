import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FindingsReport, findings } from "../../src/findings/index.ts";
import { runMain } from "../cli/support/run-main.ts";
import { ClickHouse } from "./clickhouse.ts";
import { generateRuns } from "./generate.ts";
import { type Bridge, bridge } from "./http-bridge.ts";

const EVERYTHING = 1_000_000_000;
// A password that has to be escaped in an address, and is no Latin-1.
const PASSWORD = "pa/ß@:wort";

describe("findings --clickhouse", () => {
  const clickHouse = new ClickHouse();
  const spans = generateRuns(90, 23);
  const report = findings(spans, { maxOpenSpans: EVERYTHING });
  let server: Bridge;

  beforeAll(async () => {
    clickHouse.insert(spans);
    clickHouse.run("CREATE TABLE other (Timestamp DateTime64(9), TraceId String) ENGINE = Memory");
    server = await bridge(clickHouse, {
      default: { password: "" },
      reader: { password: Buffer.from(PASSWORD, "utf8").toString("latin1") },
      bound: { password: "x", readonly: 1 },
    });
  }, 600_000);
  afterAll(async () => {
    await server.close();
    clickHouse.close();
  });

  const ask = (argv: readonly string[], env: Record<string, string> = {}, url = server.url) =>
    runMain(["findings", "--clickhouse", url, ...argv], { env });

  /** Everything that a table can hold of a report on spans. */
  const comparable = ({ rules, findings: all, examined, omitted, literal }: FindingsReport) => ({
    rules,
    literal,
    omitted,
    examined: { runs: examined.runs, toolCalls: examined.toolCalls },
    findings: all
      .map(({ span, ...rest }) => JSON.stringify({ ...rest, span: [span.traceId, span.spanId, span.name] }))
      .sort(),
  });

  it("gives the report that the same spans get from a file", async () => {
    const { code, stdout, stderr } = await ask(["--format", "json"]);
    expect(stderr).toMatch(/^\d+ findings; rules: /);
    expect(comparable(JSON.parse(stdout) as FindingsReport)).toEqual(
      comparable(JSON.parse(JSON.stringify(report)) as FindingsReport),
    );
    expect(code).toBe(1);
  });

  it("only reads: each query is bound to that, and what rules share is made once, for the session", async () => {
    server.asked.length = 0;
    await ask(["--only", "tool_loop,retry_storm", "--run", "it's", "--from", "2020-01-01T00:00:00Z"]);
    expect(new Set(server.asked.map(({ settings }) => settings.readonly))).toEqual(new Set(["2"]));
    expect(new Set(server.asked.map(({ session }) => session)).size).toBe(1);
    const [first, second, ...others] = server.asked.map(({ sql }) => sql);
    expect(first).toMatch(/^SELECT version/);
    expect(second).toMatch(/^CREATE TEMPORARY TABLE trustabl_rows AS/);
    for (const sql of others) expect(sql).toMatch(/^SELECT[\s\S]+trustabl_rows/);
    expect(server.asked.map(({ sql }) => sql).join("\n")).not.toContain("it's");
  });

  it("needs no more than a profile that may set nothing", async () => {
    const { code, stdout } = await ask(["--only", "tool_loop", "--format", "json"], {
      CLICKHOUSE_USER: "bound",
      CLICKHOUSE_PASSWORD: "x",
    });
    const expected = report.findings.filter(({ rule }) => rule === "tool_loop").length;
    expect(expected).toBeGreaterThan(0);
    expect([code, JSON.parse(stdout).findings.length]).toEqual([1, expected]);
    expect(server.asked.at(-1)).toMatchObject({ settings: {}, sql: expect.stringContaining("RECURSIVE") });
  });

  it("exits with 2 and says so, where the time holds nothing", async () => {
    const { code, stderr } = await ask(["--to", "2000-01-01T00:00:00Z", "--only", "tool_loop"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("nothing was judged")]);
  });

  it("takes user and password from the environment or the address", async () => {
    const argv = ["--only", "retry_storm", "--quiet"];
    const env = { CLICKHOUSE_USER: "reader", CLICKHOUSE_PASSWORD: PASSWORD };
    expect((await ask(argv, env)).stderr).toBe("");
    const url = new URL(server.url);
    url.username = "reader";
    url.password = encodeURIComponent(PASSWORD);
    expect((await ask(argv, {}, url.href)).stderr).toBe("");
    const wrong = await ask(argv, { ...env, CLICKHOUSE_PASSWORD: "secret-of-mine" });
    expect(wrong).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "otel-labels: ClickHouse does not take this user or password; set CLICKHOUSE_USER and CLICKHOUSE_PASSWORD (error 516)\n",
    });
  });

  it("says which table is not there, and which columns a table lacks", async () => {
    expect(await ask(["--table", "nowhere"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("ClickHouse has no such table"),
    });
    expect((await ask(["--table", "nobody.otel_traces"])).stderr).toContain("no such table");
    expect((await ask(["--table", "other"])).stderr).toMatch(
      /the table lacks columns; .*: SpanId, ParentSpanId, SpanName, ResourceAttributes, .*, Events\.Attributes\n$/,
    );
  });
});
