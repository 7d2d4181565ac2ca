import { describe, expect, it } from "vitest";
import { createVerifier, formatReport, type Report, verify } from "../../../src/verify/index.ts";
import { agent, call, root, UNLABELLED } from "../support/build.ts";
import { HOSTILE, hostileReport } from "../support/hostile.ts";

const good = () => verify([root(), call("a")]);
const failed = () => verify([root(), call("a"), call("b", { step: 1, attributes: UNLABELLED })]);
const warned = () => verify([root(), call("a"), agent("sub", { parent: "a" })]);
const broken = (): Report => {
  const verifier = createVerifier();
  verifier.add(root());
  verifier.add(call("a"));
  verifier.problem({
    code: "bad-json",
    level: "error",
    message: "this JSON value is damaged",
    source: "a,b:c.jsonl",
    line: 7,
  });
  return verifier.finish();
};
const REPORTS = { good, failed, warned, broken, nothing: () => verify([]), hostile: hostileReport };

describe("json", () => {
  it.each(Object.entries(REPORTS))("is one document with the report's own members: %s", (_name, make) => {
    const report = make();
    const parsed = JSON.parse(formatReport(report, { format: "json" }));
    expect(parsed).toMatchObject({
      version: 1,
      verdict: report.verdict,
      examined: report.examined,
      skipped: report.skipped,
      incomplete: report.incomplete,
    });
    expect(parsed.checks).toHaveLength(12);
  });

  it("never reads as clean when nothing was examined", () => {
    expect(JSON.parse(formatReport(verify([]), { format: "json" }))).toMatchObject({
      verdict: "nothing-to-check",
      nothing: "no-spans",
      examined: { spans: 0 },
    });
  });
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold them
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])/;

/** Elements of well-formed XML as `name attributes`; throws on anything that is not well-formed. */
function parseXml(xml: string): { name: string; attributes: Record<string, string>; text: string }[] {
  expect(xml).not.toMatch(NOT_XML);
  const elements: { name: string; attributes: Record<string, string>; text: string }[] = [];
  const open: typeof elements = [];
  const plain = (text: string): string => {
    expect(text).not.toMatch(/[<>]|&(?!(?:amp|lt|gt|quot|apos);)/);
    return text
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&apos;", "'")
      .replaceAll("&amp;", "&");
  };
  let at = xml.startsWith("<?xml") ? xml.indexOf("?>") + 2 : 0;
  while (at < xml.length) {
    const start = xml.indexOf("<", at);
    const text = plain(xml.slice(at, start === -1 ? xml.length : start));
    const current = open.at(-1);
    if (current !== undefined) current.text += text;
    else expect(text.trim()).toBe("");
    if (start === -1) break;
    const end = xml.indexOf(">", start);
    const tag = xml.slice(start + 1, end);
    at = end + 1;
    if (tag.startsWith("/")) {
      expect(open.pop()?.name).toBe(tag.slice(1));
      continue;
    }
    const name = /^[a-z-]+/.exec(tag)?.[0] as string;
    const rest = tag.slice(name.length).replace(/\/$/, "");
    expect(rest).toMatch(/^(?: [a-z]+="[^"<>]*")*$/);
    const attributes = Object.fromEntries(
      [...rest.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key, value]) => [key, plain(value as string)]),
    );
    const element = { name, attributes, text: "" };
    elements.push(element);
    if (!tag.endsWith("/")) open.push(element);
  }
  expect(open).toEqual([]);
  return elements;
}

describe("junit", () => {
  const parse = (report: Report) => parseXml(formatReport(report, { format: "junit" }));
  const suiteOf = (report: Report) => parse(report).find(({ name }) => name === "testsuite")?.attributes;

  it.each(Object.entries(REPORTS))("is well-formed, and its numbers add up: %s", (_name, make) => {
    const elements = parse(make());
    const count = (name: string) => String(elements.filter((one) => one.name === name).length);
    expect(elements.find(({ name }) => name === "testsuite")?.attributes).toMatchObject({
      tests: count("testcase"),
      failures: count("failure"),
      errors: count("error"),
      skipped: count("skipped"),
    });
  });

  it("has a test case for each check: passed, failed or skipped", () => {
    expect(suiteOf(good())).toMatchObject({ tests: "12", failures: "0", errors: "0" });
    const [failure] = parse(failed()).filter(({ name }) => name === "failure");
    expect(failure?.attributes.type).toBe("no-labels");
    expect(failure?.text).toContain("execute_tool search");
    expect(failure?.text).toContain("fix: Wrap the tool");
  });

  it("escapes what stands in attributes", () => {
    const report = broken();
    const problems = report.problems.map((problem) => ({ ...problem, message: `"a" & 'b' <c>` }));
    const [failure] = parse({ ...report, problems }).filter(({ name }) => name === "failure");
    expect(failure?.attributes.message).toBe(`"a" & 'b' <c>`);
  });

  it("does not fail on a warning", () => {
    expect(suiteOf(warned())).toMatchObject({ failures: "0" });
  });

  it("is an error when there was nothing to check, and a failure when input was lost", () => {
    expect(suiteOf(verify([]))).toMatchObject({ errors: "1" });
    expect(suiteOf(broken())).toMatchObject({ failures: "1", tests: "13" });
  });

  it("fails on what cannot be told in strict mode only", () => {
    const spans = [call("a")];
    expect(suiteOf(verify(spans))).toMatchObject({ failures: "0" });
    expect(suiteOf(verify(spans, { strict: true }))?.failures).not.toBe("0");
  });
});

describe("github", () => {
  const lines = (report: Report) => formatReport(report, { format: "github" }).trimEnd().split("\n");

  it.each(Object.entries(REPORTS))("is one command on each line: %s", (_name, make) => {
    for (const line of lines(make()))
      expect(line).toMatch(/^::(error|warning|notice) [a-z]+=[^\n]*::[^\n]+$/);
  });

  it("names file and line where the input has them, escaped", () => {
    expect(lines(broken())[0]).toBe(
      "::error file=a%2Cb%3Ac.jsonl,line=7,title=trustabl labels%3A input::this JSON value is damaged",
    );
  });

  it("says what failed as errors, warnings as warnings, the rest as notices", () => {
    expect(lines(failed())[0]).toMatch(/^::error title=trustabl labels%3A tool-span-labelled::/);
    expect(lines(warned()).some((line) => line.startsWith("::warning"))).toBe(true);
    expect(
      lines(verify([call("a")])).some((line) =>
        line.startsWith("::notice title=trustabl labels%3A run-identity"),
      ),
    ).toBe(true);
  });

  it("ends with the verdict", () => {
    expect(lines(good()).at(-1)).toMatch(/^::notice title=trustabl labels%3A pass::/);
    expect(lines(verify([])).at(-1)).toMatch(
      /^::error title=trustabl labels%3A nothing-to-check::.*there are no spans/,
    );
  });

  it("cannot be made to hold a command of somebody else", () => {
    const text = formatReport(hostileReport(), { format: "github" });
    expect(HOSTILE).toContain("::error::owned");
    expect(text).not.toMatch(/^::error::owned/m);
    // What looks like an escape already is escaped, or GitHub would undo it.
    expect(HOSTILE).toContain("%0A");
    expect(text).toContain("%250A");
    expect(text).not.toContain("%0A");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(text.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f]/);
  });
});

describe("every rendering", () => {
  it("shows no content, whatever the labels hold", () => {
    const args = { passenger: "Ada Lovelace" };
    const report = verify([
      root("root", {
        attributes: { "trustabl.run_id": "Ada Lovelace", "trustabl.exit_reason": "Ada Lovelace" },
      }),
      call("a", {
        args,
        attributes: { "trustabl.run_id": "Ada Lovelace", "trustabl.handoff_id": "for Ada Lovelace" },
      }),
      call("b", {
        step: 1,
        args,
        attributes: { "trustabl.run_id": "elsewhere", "trustabl.tool.side_effect": "Ada Lovelace" },
      }),
    ]);
    for (const format of ["text", "json", "junit", "github"] as const) {
      expect(formatReport(report, { format })).not.toContain("Lovelace");
    }
  });
});
