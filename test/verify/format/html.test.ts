import { describe, expect, it } from "vitest";
import { formatHtml } from "../../../src/verify/format/html.ts";
import type { CheckResult, Finding, Report, RunSummary, TreeSpan } from "../../../src/verify/index.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const reference = (spanId: string, name = "execute_tool search") => ({ traceId: TRACE, spanId, name });

const tool = (step: number, labels: TreeSpan["labels"] = {}, more: Partial<TreeSpan> = {}): TreeSpan => ({
  span: reference(`000000000000000${step}`),
  depth: 1,
  role: "tool",
  toolName: "search",
  labels: {
    "trustabl.step_index": step,
    "trustabl.tool.attempt": 1,
    "trustabl.tool.input_fp": "44136fa355b3678a",
    "trustabl.tool.side_effect": "read",
    ...labels,
  },
  policies: 0,
  failed: false,
  startMilliseconds: step * 100,
  durationMilliseconds: 50,
  ...more,
});

const root: TreeSpan = {
  span: reference("00000000000000aa", "invoke_agent desk"),
  depth: 0,
  role: "agent",
  labels: { "trustabl.run_id": "r", "trustabl.exit_reason": "max_steps" },
  policies: 2,
  failed: false,
  startMilliseconds: 0,
  durationMilliseconds: 1_000,
};

const run = (...tools: TreeSpan[]): RunSummary => ({
  runId: "0123456789abcdef",
  traceIds: [TRACE],
  toolCalls: tools.length,
  exitReason: "max_steps",
  tree: [root, ...tools],
  omitted: 0,
});

const check = (findings: Finding[], more: Partial<CheckResult> = {}): CheckResult => ({
  id: "attempt-count",
  title: "Equal calls of a run are counted 1, 2, 3",
  level: "error",
  outcome: findings.length > 0 ? "fail" : "pass",
  counts: { pass: 3, fail: findings.length, unknown: 0 },
  findings,
  omitted: 0,
  notes: [],
  message: "All are.",
  fix: "Count per run.",
  docs: "docs/checks.md#attempt-count",
  ...more,
});

const finding = (more: Partial<Finding> = {}): Finding => ({
  check: "attempt-count",
  outcome: "fail",
  level: "error",
  reason: "jump",
  message: "The attempts skip a number.",
  span: reference("0000000000000001"),
  attribute: "trustabl.tool.attempt",
  observed: "5",
  expected: "2",
  ...more,
});

const report = (more: Partial<Report> = {}): Report => ({
  verdict: "pass",
  strict: false,
  examined: { spans: 4, traces: 1, runs: 1, agentSpans: 1, toolSpans: 3, labelledSpans: 4 },
  skipped: { duplicates: 0, otherRuns: 0, otherSignals: 0, unreadable: 0 },
  incomplete: false,
  problems: [],
  checks: [check([])],
  runs: [run(tool(1), tool(2), tool(3))],
  ...more,
});

/** The text of the page as a reader sees it, and one row of the waterfall. */
const textOf = (page: string) =>
  page
    .replace(/<style>[\s\S]*<\/style>/, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
const rowOf = (page: string, span: string) =>
  page.split("<tr ").find((row) => row.includes(`title="span ${span} of trace`)) ?? "";

describe("formatHtml", () => {
  it("is one page that fetches nothing and runs nothing", () => {
    const page = formatHtml(report({ checks: [check([finding()])], verdict: "fail" }));
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">[\s\S]*<\/html>\n$/);
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;;`,
    );
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\ssrc=/i);
    const links = [...page.matchAll(/\shref="([^"]*)"/g)].map(([, target]) => target);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((target) => !target?.startsWith("#"))).toEqual([]);
  });

  it("says the verdict, and what it rests on", () => {
    expect(textOf(formatHtml(report()))).toContain("pass 1 passed; 4 spans, 3 tool calls, 1 run");
    const nothing = formatHtml(
      report({ verdict: "nothing-to-check", nothing: "no-spans", checks: [], runs: [] }),
    );
    expect(textOf(nothing)).toMatch(/nothing to check .* there are no spans/);
    expect(formatHtml(report({ strict: true }))).toContain(">strict<");
  });

  it("shows a run with its end, its policies and its calls", () => {
    const text = textOf(formatHtml(report()));
    expect(text).toContain("Run 0123456789abcdef max_steps 3 tool calls 2 policies bound");
    expect(text).toContain("agent invoke_agent desk");
    expect(
      textOf(formatHtml(report({ runs: [{ ...run(), runId: undefined, exitReason: undefined }] }))),
    ).toContain("Spans without a run id no exit reason");
  });

  it("shows the labels of a call", () => {
    const labels = {
      "trustabl.tool.attempt": 4,
      "trustabl.tool.side_effect": "irreversible",
      "trustabl.tool.error_class": "5xx",
      "trustabl.tool.output_fp": "74234e98afe7498f",
    };
    const page = formatHtml(report({ runs: [run(tool(1, labels, { failed: true }))] }));
    expect(textOf(rowOf(page, "0000000000000001"))).toContain(
      "1 search execute_tool search 50 ms attempt 4 irreversible failed 5xx 44136fa355b3678a → 74234e98afe7498f",
    );
  });

  it("names a label of the wrong form", () => {
    const page = formatHtml(report({ runs: [run(tool(1, { "trustabl.tool.output_fp": undefined }))] }));
    expect(textOf(page)).toContain("trustabl.tool.output_fp has the wrong form");
  });

  it("gives the same colour and letter to equal calls, and none to others", () => {
    const tools = [
      tool(1),
      tool(2, {}, { toolName: "other" }),
      tool(3),
      tool(4, { "trustabl.tool.input_fp": "4f53cda18c2baa0c" }),
      tool(5, { "trustabl.tool.input_fp": "4f53cda18c2baa0c" }),
      tool(6, { "trustabl.tool.input_fp": "74234e98afe7498f" }),
    ];
    const page = formatHtml(report({ runs: [run(...tools)] }));
    const colours = tools.map(({ span }) => /class="bar same (c\d)/.exec(rowOf(page, span.spanId))?.[1]);
    expect(colours).toEqual(["c0", undefined, "c0", "c1", "c1", undefined]);
    expect(rowOf(page, "0000000000000003")).toContain("<b>A</b>");
    expect(rowOf(page, "0000000000000005")).toContain("<b>B</b>");
    expect(textOf(page)).toContain("A search called 2 times with the same arguments");
  });

  it("puts bars where the spans were in time", () => {
    const page = formatHtml(report());
    expect(rowOf(page, "00000000000000aa")).toContain('style="left:0%;width:100%"');
    expect(rowOf(page, "0000000000000003")).toContain('style="left:30%;width:5%"');
    expect(textOf(page)).toContain("0 250 ms 500 ms 750 ms");
  });

  it("keeps every bar on the page when clocks differ", () => {
    const early = tool(1, {}, { startMilliseconds: -50, durationMilliseconds: 2_000 });
    const page = formatHtml(report({ runs: [run(early)] }));
    for (const [, left, width] of page.matchAll(/left:([-\d.]+)%;width:([-\d.]+)%/g)) {
      expect(Number(left)).toBeGreaterThanOrEqual(0);
      expect(Number(width)).toBeGreaterThanOrEqual(0);
      expect(Number(left) + Number(width)).toBeLessThanOrEqual(100.01);
    }
  });

  it("has no line of time for spans without times, and says which span never ended", () => {
    const timeless = [root, tool(1)].map(
      ({ startMilliseconds: _start, durationMilliseconds: _length, ...span }) => span,
    );
    expect(formatHtml(report({ runs: [{ ...run(), tree: timeless }] }))).not.toContain('class="bar');
    const open = tool(1, {}, { durationMilliseconds: undefined });
    expect(textOf(formatHtml(report({ runs: [run(open)] })))).toContain("never ended");
  });

  it("gives a resumed run a line of time for each part", () => {
    const page = formatHtml(report({ runs: [{ ...run(), tree: [root, tool(1), root, tool(2)] }] }));
    expect(page.match(/<table/g)).toHaveLength(2);
  });

  it("shows what failed before the runs, open, linked to the span and back", () => {
    const page = formatHtml(
      report({ verdict: "fail", checks: [check([finding()]), check([], { id: "no-content" })] }),
    );
    expect(page.indexOf("What was found")).toBeLessThan(page.indexOf("<h2>Runs"));
    expect(page.indexOf("What holds")).toBeGreaterThan(page.indexOf("<h2>Runs"));
    expect(page).toContain('<details class="check fail" id="attempt-count" open>');
    expect(page).toContain('<details class="check pass" id="no-content">');
    const [, place] = /<a href="#(span-\d+)">search/.exec(page) ?? [];
    expect(rowOf(page, "0000000000000001")).toContain(`id="${place}"`);
    expect(rowOf(page, "0000000000000001")).toContain('href="#attempt-count"');
    expect(textOf(page)).toContain(
      "label trustabl.tool.attempt found 5 expected 2 To fix it: Count per run. docs/checks.md#attempt-count",
    );
  });

  it("shows warnings as such, and what cannot be told", () => {
    const warning = check([finding({ level: "warning" })], { level: "warning" });
    expect(textOf(formatHtml(report({ checks: [warning] })))).toContain("! warning");
    const unknown = check([finding({ outcome: "unknown" })], { outcome: "unknown" });
    expect(textOf(formatHtml(report({ checks: [unknown] })))).toContain("? unknown");
  });

  it("names the file and line of a span that no run shows", () => {
    const span = { ...reference("00000000000000ff", "lost"), source: "traces.jsonl", line: 7 };
    const page = formatHtml(report({ checks: [check([finding({ span })])] }));
    expect(textOf(page)).toContain("lost 00000000000000ff traces.jsonl:7");
  });

  it("lists input that could not be read, and counts what was left out", () => {
    const page = formatHtml(
      report({
        problems: [{ code: "bad-json", level: "error", message: "damaged", source: "traces.jsonl", line: 3 }],
        skipped: { duplicates: 2, otherRuns: 0, otherSignals: 0, unreadable: 4 },
        examined: { ...report().examined, runs: 9 },
        runs: [{ ...run(tool(1)), omitted: 12 }],
        checks: [check([finding()], { omitted: 5 })],
      }),
    );
    const text = textOf(page);
    expect(text).toContain("✗ damaged (traces.jsonl:3)");
    expect(text).toContain("and 3 more");
    expect(text).toContain("left out: 4 unreadable parts, 2 duplicate spans");
    expect(text).toContain("8 more runs not shown");
    expect(text).toContain("12 more spans of this run are not shown");
    expect(text).toContain("5 more findings are not shown");
  });

  it("shows hostile names as text, wherever they stand", () => {
    const hostile = `"><script>alert(1)</script><img src=x onerror='alert(1)'>&amp;`;
    const pageWith = (name: string) => {
      const span = { traceId: name, spanId: name, name, source: name };
      const labels = { "trustabl.tool.input_fp": name, "trustabl.handoff_id": name, [name]: undefined };
      const row: TreeSpan = { ...tool(1), span, toolName: `${name}!`, labels };
      return formatHtml(
        report({
          runs: [{ ...run(row, { ...row }), runId: name, exitReason: name }],
          checks: [check([finding({ span, related: span, runId: name, observed: name, expected: name })])],
          problems: [{ code: "x", level: "error", message: name, source: name }],
        }),
      );
    };
    const page = pageWith(hostile);
    expect(page).not.toMatch(/<script|<img|onerror='/);
    expect(page.match(/&#60;script&#62;/g)?.length).toBeGreaterThan(10);
    const tags = (text: string) => text.match(/<[^>]*>/g)?.map((tag) => /^<\/?[a-z0-9]+/.exec(tag)?.[0]);
    expect(tags(page)).toEqual(tags(pageWith("harmless")));
    expect(pageWith("constructor")).not.toContain("native code");
  });
});
