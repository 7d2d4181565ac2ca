import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { REPOSITORY } from "../support/binary.ts";
import { exportExample, unlabelled } from "../support/example-export.ts";
import { folderWith } from "../support/folder.ts";
import { runMain } from "../support/run-main.ts";

let example: string;
beforeAll(async () => {
  example = await exportExample();
}, 60_000);

const findings = (text: string, ...argv: string[]) => runMain(["findings", "-", ...argv], { stdin: text });

describe("findings, on the export of the example", () => {
  it("sees the empty search that is repeated, and nothing else", async () => {
    const { code, stdout } = await findings(example, "--format", "json");
    const report = JSON.parse(stdout);
    expect(
      report.findings.map(({ rule, evidence }: { rule: string; evidence: object }) => [rule, evidence]),
    ).toEqual([
      [
        "tool_loop",
        {
          "gen_ai.tool.name": "search_flights",
          "trustabl.tool.input_fp": expect.stringMatching(/^[0-9a-f]{16}$/),
          "trustabl.step_index": 3,
          "trustabl.tool.side_effect": "read",
          "trustabl.tool.attempt": 3,
          count: 3,
        },
      ],
    ]);
    expect([code, report.examined]).toEqual([1, { spans: 16, runs: 1, toolCalls: 7 }]);
  });

  it("says it for people, with what to do, and exits with 1", async () => {
    const { code, stdout, stderr } = await findings(example);
    expect(stdout).toMatch(/✗ tool_loop +high: Three of five calls in a row are the same call\./);
    expect(stdout).toMatch(/ {4}fix: Cap equal calls of the tool/);
    expect(stdout).toMatch(
      /\n1 finding; rules: 1 fired, 6 clear, 5 not applicable; 16 spans, 7 tool calls, 1 run\n$/,
    );
    expect([code, stderr]).toEqual([1, ""]);
  });

  it("exits with 0 when the rules that are asked for do not fire", async () => {
    expect((await findings(example, "--only", "retry_storm,policy_absent")).code).toBe(0);
    expect(
      (await findings(example, "--ignore", "tool_loop", "--ignore", "policy_drift", "--quiet")).stdout,
    ).toBe("");
  });

  it("reads the rules to the letter, where asked to", async () => {
    const { stdout } = await findings(example, "--literal", "--format", "json");
    const rules = JSON.parse(stdout).findings.map(({ rule }: { rule: string }) => rule);
    expect(new Set(rules)).toEqual(new Set(["tool_loop", "policy_absent", "dspm_unbound"]));
  });

  it("exits with 2 when nothing could be judged", async () => {
    for (const text of [unlabelled(example), '{"resourceSpans":[]}\n', ""]) {
      const { code, stderr } = await findings(text);
      expect([code, stderr]).toEqual([2, expect.stringContaining("nothing was judged")]);
    }
    expect((await runMain(["findings", "missing.jsonl"])).code).toBe(2);
    expect((await runMain(["findings"])).stderr).toContain("give an export to check");
    expect((await findings(example, "--only", "no_rule")).stderr).toContain("there is no such rule");
    expect((await findings(example, "--format", "yaml")).stderr).toContain(
      "--format is one of text, json, junit, github, html",
    );
  });

  it("exits with 2, as verify does, when nothing was judged because nothing could be read", async () => {
    const { code, stderr } = await findings("not json\n");
    expect([code, stderr]).toEqual([2, "nothing was judged: put right first what is said of the input\n"]);
  });

  it("exits with 1 when part of the input cannot be read", async () => {
    const { code, stdout } = await findings(`not json\n${example}`, "--only", "retry_storm");
    expect([code, stdout]).toEqual([1, expect.stringContaining("this line is not JSON")]);
  });

  it("writes a file whole, and the summary for people beside it", async () => {
    const cwd = folderWith({ "traces.jsonl": example });
    const { code, stdout, stderr } = await runMain(
      ["findings", "traces.jsonl", "--format", "junit", "--output", "report.xml"],
      { cwd },
    );
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("1 finding;")]);
    expect(readFileSync(join(cwd, "report.xml"), "utf8")).toContain('tests="12" failures="1"');
  });

  it("writes a page that shows the run, with the call that completes the loop marked", async () => {
    const { code, stdout, stderr } = await findings(example, "--format", "html");
    expect(stdout).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    expect(stdout.match(/<section class="run">/g)).toHaveLength(1);
    expect(stdout).toMatch(/<tr id="span-\d+" class="tool marked bad">.*✗ tool_loop/);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^1 finding; /)]);
  });

  it("annotates on GitHub", async () => {
    const { stdout } = await findings(example, "--format", "github");
    expect(stdout).toMatch(/^::error .*title=trustabl findings%3A tool_loop::/m);
  });
});

describe("verify --findings", () => {
  const verify = (...argv: string[]) => runMain(["verify", "-", "--findings", ...argv], { stdin: example });

  it("shows the findings behind the checks, and exits with 1 although these pass", async () => {
    const { code, stdout } = await verify();
    expect(stdout).toMatch(/\npass: [\s\S]*\n✗ tool_loop [\s\S]*\n1 finding; /);
    expect(code).toBe(1);
  });

  it("adds them to the JSON document", async () => {
    const { stdout, stderr } = await verify("--format", "json");
    const { verdict, findings: found } = JSON.parse(stdout);
    expect([verdict, found.findings.length]).toEqual(["pass", 1]);
    expect(stderr).toMatch(/^pass: .*\n1 finding; .*\n$/);
  });

  it("adds them as a suite of their own to the JUnit document", async () => {
    const { stdout } = await verify("--format", "junit");
    expect(stdout).toMatch(/<testsuites name="[\w-]+" tests="24" failures="1" errors="0">/);
    expect(stdout.match(/<testsuite name="[^"]*" tests="12"/g)).toEqual([
      '<testsuite name="agent-reliability-otel-labels" tests="12"',
      '<testsuite name="agent-reliability-otel-labels findings" tests="12"',
    ]);
    expect(stdout).toContain(
      '<testcase classname="agent-reliability-otel-labels findings" name="tool_loop">',
    );
    expect(stdout.match(/<\/?testsuites/g)).toHaveLength(2);
  });

  it("annotates on GitHub, the checks first", async () => {
    const { stdout } = await verify("--format", "github");
    expect(stdout).toMatch(
      /^::notice title=trustabl labels%3A pass::.*\n::error .*title=trustabl findings%3A tool_loop::/,
    );
  });

  it("marks them in the page of the checks, once for each run", async () => {
    const { stdout } = await verify("--format", "html");
    expect(stdout).toMatch(/<tr id="span-\d+" class="tool marked bad">.*✗ tool_loop/);
    expect(stdout.match(/<section class="run">/g)).toHaveLength(1);
    expect(stdout).toContain("<title>trustabl labels: pass, trustabl findings: 1 finding</title>");
    const ids = [...stdout.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(["text", "junit", "github", "html"])("says once what could not be read, in %s", async (format) => {
    const { stdout } = await runMain(["verify", "-", "--findings", "--format", format], {
      stdin: `not json\n${example}`,
    });
    expect(stdout.match(/this line is not JSON/g)?.length).toBe(format === "junit" ? 2 : 1);
  });

  it("withholds from the findings what the checks withhold, and the secrets that were given", async () => {
    const [run] =
      /[0-9a-f]{16}/.exec(
        JSON.parse((await findings(example, "--format", "json")).stdout).findings[0].runId,
      ) ?? [];
    for (const format of ["text", "json", "junit", "github", "html"]) {
      expect((await verify("--format", format)).stdout).toContain(run);
      const { stdout } = await verify("--format", format, "--secret", run as string);
      expect(stdout).not.toContain(run);
      expect(stdout).toContain("withheld");
    }
  });
});

describe("findings --exec", () => {
  it("says what fires while the program runs, and reports when it has ended", async () => {
    const { code, stdout, stderr } = await runMain(
      [
        "findings",
        "--exec",
        `"${process.execPath}" --import tsx examples/ai-sdk/main.ts >&2`,
        "--format",
        "json",
      ],
      { cwd: REPOSITORY, env: process.env as Record<string, string> },
    );
    expect(stderr).toMatch(
      /^high tool_loop: Three of five calls in a row are the same call\. \(run [0-9a-f]{16}, ai\.toolCall /m,
    );
    // The search that was repeated, and nothing of the rest.
    expect(JSON.parse(stdout).findings.map(({ rule }: { rule: string }) => rule)).toEqual(["tool_loop"]);
    expect(code).toBe(1);
  }, 60_000);
});
