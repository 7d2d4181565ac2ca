import { describe, expect, it } from "vitest";
import { findings, formatFindings, type RuleFinding, type RuleId } from "../../src/findings/index.ts";
import { binding, call, root, span, spanId } from "../verify/support/build.ts";

const search = { tool: "search_flights", args: { from: "SFO" }, result: { flights: [] } };
const payment = { "trustabl.tool.side_effect": "irreversible" };
const decided = { ...payment, "trustabl.constraint.decision": "allow" };

/** A loop that becomes a storm, a payment that nobody decided on, one that somebody did. */
const spans = [
  root("root", { events: ["sandbox", "content_safety", "data_security"].map(bound) }),
  call("first", { ...search, step: 0 }),
  call("other", { tool: "get_weather", step: 1, args: { from: "SFO" } }),
  call("second", { ...search, step: 2, attempt: 2 }),
  call("third", { ...search, step: 3, attempt: 3 }),
  call("fourth", { ...search, step: 4, attempt: 4 }),
  call("pay", { tool: "send_payment", step: 5, attributes: payment }),
  call("guard", { tool: "send_payment", step: 6, attributes: decided }),
];

function bound(type: string) {
  return binding(type, { "trustabl.policy.binding.type": type });
}

const pageOf = (given = spans, maxRuns = 20, only?: readonly RuleId[]) =>
  formatFindings(findings(given, { maxRuns, only }), { format: "html" });
const rowOf = (page: string, id: string) =>
  page.split("<tr ").find((row) => row.includes(`title="span ${spanId(id)} of trace`)) ?? "";
const marksOf = (page: string, id: string) =>
  [...rowOf(page, id).matchAll(/<a class="chip (\w+)" href="#(rule-\w+)">([^<]*)<\/a>/g)].map(
    ([, kind, place, text]) => `${kind} ${place}: ${text}`,
  );
const standsOut = (page: string, id: string) => /class="\w+ marked (\w+)"/.exec(rowOf(page, id))?.[1];
const textOf = (page: string) =>
  page
    .replace(/<style>[\s\S]*<\/style>/, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

describe("findings as a page", () => {
  it("mark the span that completes what a rule looks for, and the other calls that are parts of it", () => {
    const page = pageOf();
    expect(marksOf(page, "third")).toEqual([
      "bad rule-tool_loop: ✗ tool_loop",
      "plain rule-retry_storm: part of retry_storm",
    ]);
    expect(marksOf(page, "fourth")).toEqual([
      "bad rule-retry_storm: ✗ retry_storm",
      "plain rule-tool_loop: part of tool_loop",
    ]);
    expect(marksOf(page, "first")).toEqual([
      "plain rule-tool_loop: part of tool_loop",
      "plain rule-retry_storm: part of retry_storm",
    ]);
    expect(marksOf(page, "pay")).toEqual(["bad rule-irreversible_unguarded: ✗ irreversible_unguarded"]);
  });

  it("leave other calls alone: another tool with equal arguments, a call that was decided on, the root", () => {
    const page = pageOf();
    expect(rowOf(page, "guard")).toContain("send_payment");
    for (const id of ["other", "guard", "root"]) expect(marksOf(page, id)).toEqual([]);
  });

  it("make the rows of these spans stand out, and those that are merely parts not", () => {
    const page = pageOf();
    expect(["third", "fourth", "pay"].map((id) => standsOut(page, id))).toEqual(["bad", "bad", "bad"]);
    expect(["root", "first", "second", "guard"].map((id) => standsOut(page, id))).toEqual(
      Array(4).fill(undefined),
    );
  });

  it("link every finding to its span and every mark to its rule, and to nothing outside", () => {
    const page = pageOf();
    const ids = new Set([...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
    const links = [...page.matchAll(/ href="([^"]*)"/g)].map(([, target]) => target as string);
    expect(links.length).toBeGreaterThan(10);
    for (const link of links) expect(ids).toContain(link.replace(/^#/, ""));
    const [, place] = /<a href="#(span-\d+)">send_payment/.exec(page) ?? [];
    expect(rowOf(page, "pay")).toContain(`id="${place}"`);
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\ssrc=/i);
  });

  it("say what was found, the evidence and what to do, worst first, before the runs", () => {
    const page = pageOf();
    const text = textOf(page);
    expect(text).toMatch(
      /3 findings rules: 3 fired, \d clear, \d not applicable; 8 spans, 7 tool calls, 1 run/,
    );
    expect(text).toContain("tool.attempt 4 step_index 4 count 1 What to do ( policy.cap_retries )");
    const order = ["irreversible_unguarded", "tool_loop", "retry_storm"].map((rule) =>
      page.indexOf(`id="rule-${rule}" open`),
    );
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
    expect(order[2]).toBeLessThan(page.indexOf("<h2>Runs"));
    expect(page.indexOf('id="rule-policy_absent"')).toBeGreaterThan(page.indexOf("Rules that do not fire"));
  });

  it("show a record as such", () => {
    const denied = call("deny", { step: 7, attributes: { "trustabl.constraint.decision": "deny" } });
    const page = pageOf([...spans, denied]);
    expect(marksOf(page, "deny")).toContain("warn rule-constraint_hit: ● constraint_hit");
    expect(standsOut(page, "deny")).toBe("bad");
    const alone = formatFindings(findings([root(), denied], { only: ["constraint_hit"], maxRuns: 1 }), {
      format: "html",
    });
    expect(standsOut(alone, "deny")).toBe("warn");
  });

  it("show the runs with findings, however many others there are, and count those that do not fit", () => {
    const other = (id: string, start: number, parts = {}) => {
      const trace = id.padEnd(32, "0");
      const attributes = { "trustabl.run_id": `run-${id}` };
      return [
        root(`${id}r`, {
          trace,
          start,
          events: ["sandbox", "content_safety", "data_security"].map(bound),
          attributes,
        }),
        call(`${id}c`, {
          trace,
          parent: `${id}r`,
          start: start + 1,
          attributes: { ...attributes, ...parts },
        }),
      ];
    };
    const storm = { "trustabl.tool.attempt": 5 };
    const many = Array.from({ length: 60 }, (_, index) => other(`a${index}`, index * 10)).flat();
    const given = [...many, ...other("b1", 9_000, storm), ...other("b2", 9_500, storm)];
    const page = pageOf(given, 1);
    expect(page.match(/<section class="run">/g)).toHaveLength(1);
    expect(textOf(page)).toContain("Run run-b1 ");
    expect(textOf(page)).toContain("1 more run with findings not shown");
    expect(pageOf(given, 0)).not.toContain('<section class="run">');
  });

  it("show a run inside the run above it, and spans that have no run", () => {
    const inner = { "trustabl.run_id": "inner" };
    const nested = [
      root("root"),
      root("in", { parent: "root", attributes: inner }),
      call("x", { parent: "in", attempt: 4, attributes: inner }),
    ];
    expect(standsOut(pageOf(nested, 20, ["retry_storm"]), "x")).toBe("bad");
    const none = call("x", { parent: "gone", attempt: 4, attributes: { "trustabl.run_id": undefined } });
    expect(standsOut(pageOf([none]), "x")).toBe("bad");
  });

  it("say that nothing was judged, which is no good news", () => {
    expect(pageOf([span("plain")])).toContain('class="verdict nothing-to-check"');
    expect(textOf(pageOf([span("plain")]))).toContain("nothing was judged");
    expect(pageOf([spans[0] as never, spans[1] as never])).toContain('class="verdict pass"');
  });

  it("show hostile names as text, wherever they stand", () => {
    const hostile = `"><script>alert(1)</script><img src=x onerror='alert(1)'>&amp;`;
    const pageWith = (name: string) => {
      const report = findings(spans, { maxRuns: 5 });
      const rename = (finding: RuleFinding): RuleFinding => ({
        ...finding,
        runId: name,
        span: { ...finding.span, name, source: name, line: 1 },
        evidence: { ...finding.evidence, "gen_ai.tool.name": name, missing: name },
      });
      return formatFindings(
        {
          ...report,
          problems: [{ code: "x", level: "error", message: name, source: name }],
          unreadable: 1,
          findings: report.findings.map(rename),
          runs: report.runs?.map((run) => ({
            ...run,
            tree: run.tree.map((one) => ({ ...one, toolName: name, span: { ...one.span, name } })),
          })),
        },
        { format: "html" },
      );
    };
    const page = pageWith(hostile);
    expect(page).not.toMatch(/<script|<img|onerror='/);
    expect(page.match(/&#60;script&#62;/g)?.length).toBeGreaterThan(10);
    const tags = (text: string) => text.match(/<[^>]*>/g)?.map((tag) => /^<\/?[a-z0-9]+/.exec(tag)?.[0]);
    expect(tags(page)).toEqual(tags(pageWith("harmless")));
  });
});
