import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { runMain } from "../support/run-main.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A loopback server that does what the test says. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answer =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(status, headers).end(body);
  };
const exception = (status: number, code: number): RequestListener =>
  answer(status, `Code: ${code}. DB::Exception: a text that repeats SECRET data`, {
    "X-ClickHouse-Exception-Code": String(code),
  });

const ask = (url: string, ...more: string[]) =>
  runMain(["findings", "--clickhouse", url, ...more], {
    env: { CLICKHOUSE_USER: "someone", CLICKHOUSE_PASSWORD: "SECRET" },
  });

/** One sentence, exit code 2, and nothing of what the server said. */
async function refused(url: string, ...more: string[]): Promise<string> {
  const { code, stdout, stderr } = await ask(url, ...more);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^otel-labels: [^\n]+\n$/);
  expect(stderr).not.toContain("SECRET");
  expect(stderr).not.toContain("fault of its own");
  return stderr;
}

describe("findings --clickhouse, on a server that does not answer as hoped", () => {
  it.each([
    [exception(403, 516), /does not take this user or password; set CLICKHOUSE_USER/],
    [answer(401, "who are you"), /does not take this user or password/],
    [exception(404, 60), /no such table; name the one .* with --table DATABASE\.NAME \(error 60\)/],
    [exception(404, 81), /no such table/],
    [exception(500, 497), /it needs GRANT SELECT/],
    [exception(408, 159), /give more with --timeout/],
    [exception(500, 241), /take a shorter time with --from and --to/],
    [exception(400, 62), /has to be 24\.4 or later/],
    [exception(500, 999), /ClickHouse refused the query \(error 999\)/],
    [exception(200, 395), /refused the query \(error 395\)/],
    [answer(404, "SECRET page"), /not ClickHouse's HTTP interface \(status 404\); its port is 8123/],
    [answer(302, "", { Location: "http://127.0.0.1:1/" }), /not ClickHouse's HTTP interface \(status 302\)/],
    [answer(200, "<html>SECRET</html>"), /does not answer as ClickHouse does/],
    [answer(200, ""), /does not answer as ClickHouse does/],
    [answer(200, '[1]\n"x"\n'), /does not answer as ClickHouse does/],
    [answer(200, '{"version":"SECRET","spans":1}\n'), /does not answer as ClickHouse does/],
    [answer(200, '{"version":"26.7.1","spans":"many"}\n'), /does not answer as ClickHouse does/],
    [answer(200, '{"version":"23.8.16.16","spans":"1"}\n'), /has to be 24\.4 or later/],
  ])("says what to do, %#", async (listener, sentence) => {
    expect(await refused(await serve(listener))).toMatch(sentence);
  });

  it("says that nothing listens there, or that the connection was cut", async () => {
    const url = await serve(answer(200, ""));
    servers.splice(0).map((server) => server.close());
    expect(await refused(url)).toContain("nothing listens there");
    expect(await refused(await serve((request) => request.socket.destroy()))).toContain("was cut");
    const half: RequestListener = (_request, response) => {
      response.writeHead(200, { "Content-Length": "1000" }).write('{"version":');
      setImmediate(() => response.destroy());
    };
    expect(await refused(await serve(half))).toContain("was cut");
    expect(await refused((await serve(answer(200, ""))).replace("http:", "https:"))).toContain(
      "cannot reach ClickHouse",
    );
  });

  it("gives up on a server that never answers, soon after the time that it was given", async () => {
    expect(await refused(await serve(() => {}), "--timeout", "1ms")).toContain("did not answer in time");
  }, 30_000);

  it("does not take in an answer without end", async () => {
    let sent = 0;
    const endless: RequestListener = (_request, response) => {
      const chunk = Buffer.alloc(1_000_000, "x");
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += 1;
      };
      response.on("drain", more).on("error", () => {});
      more();
    };
    expect(await refused(await serve(endless))).toContain("stopped at a limit");
    expect(sent).toBeLessThan(200);
  }, 30_000);
});

describe("findings --clickhouse, on a scripted server", () => {
  /** Answers by what is asked; one finding for each rule, with a hostile name. */
  const scripted: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const sql = Buffer.concat(chunks).toString("utf8");
      const line = sql.startsWith("SELECT version")
        ? { version: "25.8.1.1", spans: 7 }
        : sql.includes(" AS examined")
          ? { runs: "1", calls: "3", examined: { tool_loop: 3 }, waiting: [] }
          : sql.includes("AS total")
            ? {
                run_id: "r1",
                trace_id: "a".repeat(32),
                span_id: "b".repeat(16),
                span_name: "\u001b[2Jevil",
                evidence: {
                  "trustabl.step_index": "3",
                  "gen_ai.tool.name": "x".repeat(3_000),
                  count: "4",
                },
                total: "1500",
              }
            : undefined;
      response.end(line === undefined ? "" : `${JSON.stringify(line)}\n`);
    });
  };

  it("counts what was left out, and shows nothing raw", async () => {
    const { code, stdout } = await ask(await serve(scripted), "--only", "tool_loop", "--format", "json");
    const report = JSON.parse(stdout);
    expect([code, report.omitted, report.rules[0].counts.found]).toEqual([1, 1499, 1500]);
    expect(report.examined).toEqual({ spans: 7, runs: 1, toolCalls: 3 });
    expect(report.findings[0].evidence).toEqual({
      "gen_ai.tool.name": expect.stringMatching(/^x{639}…$/),
      "trustabl.step_index": 3,
      count: 4,
    });
    expect(stdout).not.toContain("\\u001b");
  });

  it.each(["text", "junit", "github"])("writes it as %s too", async (format) => {
    const { stdout } = await ask(await serve(scripted), "--only", "tool_loop", "--format", format);
    expect(stdout).toContain("tool_loop");
    expect(stdout).not.toContain("\u001b");
  });

  it("sends credentials in headers, and values as parameters", async () => {
    const seen: string[] = [];
    const url = await serve((request, response) => {
      seen.push(
        `${request.url} ${request.headers["x-clickhouse-user"]} ${request.headers["x-clickhouse-key"]}`,
      );
      scripted(request, response);
    });
    await ask(url.replace("//", "//me:p%40ss@"), "--only", "tool_loop", "--run", "a\tb\\c");
    expect(seen.length).toBeGreaterThan(3);
    for (const one of seen) {
      expect(one).toMatch(/ me p@ss$/);
      expect(one).not.toMatch(/me:|SECRET|p%40ss/);
      expect(one).toContain("readonly=2");
    }
    expect(seen.at(-1)).toContain("param_run_id=a%5Ctb%5C%5Cc");
  });
});

describe("the options of findings --clickhouse", () => {
  const url = "http://127.0.0.1:1";

  it.each([
    [["--clickhouse", url, "traces.jsonl"], "only one of them"],
    [["--clickhouse", url, "--exec", "true"], "only one of them"],
    [["traces.jsonl", "--table", "x"], "go with --clickhouse"],
    [["--clickhouse", "localhost:8123"], "such as http://localhost:8123"],
    [["--clickhouse", "postgres://localhost"], "such as http://localhost:8123"],
    [["--clickhouse", `${url}/?database=x`], "--table DATABASE.NAME"],
    [["--clickhouse", "http://me:a%0Ab@localhost"], "control characters"],
    [["--clickhouse", url, "--table", "a b"], "a table is called"],
    [["--clickhouse", url, "--from", "yesterday"], "--from needs a time"],
    [["--clickhouse", url, "--timeout", "soon"], "--timeout needs a time"],
    [["--clickhouse", url, "--only", "no_rule"], "there is no such rule"],
  ])("%j are refused", async (argv, sentence) => {
    const { code, stdout, stderr } = await runMain(["findings", ...argv]);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(sentence)]);
  });

  it("takes how long ago a time is", async () => {
    const before = Date.now() - 6 * 3_600_000;
    const { stdout } = await runMain(["sql", "--rule", "tool_loop", "--from", "6h"]);
    const [, from] = /SET param_from = '([^']+)'/.exec(stdout) ?? [];
    expect(Date.parse(`${from?.replace(" ", "T")}Z`)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(`${from?.replace(" ", "T")}Z`)).toBeLessThanOrEqual(Date.now() - 6 * 3_600_000);
  });
});
