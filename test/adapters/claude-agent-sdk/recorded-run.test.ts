import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { recogniseSpan } from "../../../src/attributes/conventions.ts";
import { canonicalFp } from "../../../src/index.ts";
import { readOtlp, verify } from "../../../src/verify/index.ts";

const file = new URL("../../fixtures/claude-agent-sdk/native-run.json", import.meta.url);
const { spans } = readOtlp(readFileSync(file, "utf8"));
const report = verify(spans);
const labelsOf = (attributes: object) =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => name.startsWith("trustabl.")));

// Recorded with the command line of the SDK 0.3.332; how, stands in test/frameworks-large/claude-agent-sdk.
describe("A run of the command line that was labelled by the relay", () => {
  it("passes every check that native spans hold enough for: they hold neither arguments nor results", () => {
    expect(report.verdict).toBe("pass");
    const open = report.checks.filter(({ outcome }) => outcome === "fail" || outcome === "unknown");
    expect(open.map(({ id }) => id)).toEqual(["fingerprint-true"]);
    expect(report.runs).toMatchObject([{ toolCalls: 6, exitReason: "final_answer" }]);
  });

  it("has labels on its tool spans and its root, and nowhere else", () => {
    const roles = spans
      .filter(({ attributes }) => Object.keys(labelsOf(attributes)).length > 0)
      .map((span) => recogniseSpan(span)?.role);
    expect(roles.sort()).toEqual(["agent", "tool", "tool", "tool", "tool", "tool", "tool"]);
    const root = spans.find(({ name }) => name === "claude_code.interaction");
    expect(root?.events.map(({ name }) => name)).toEqual(["trustabl.policy.binding"]);
  });

  it("shows what was asked for: two equal calls, a failure, a refusal, a delegation and its call", () => {
    const tools = spans
      .filter((span) => recogniseSpan(span)?.role === "tool")
      .map(({ attributes }) => attributes)
      .sort((a, b) => Number(a["trustabl.step_index"]) - Number(b["trustabl.step_index"]));
    expect(tools.map((attributes) => [attributes.tool_name, attributes["trustabl.tool.attempt"]])).toEqual([
      ["mcp__demo__lookup", 1],
      ["mcp__demo__lookup", 2],
      ["mcp__demo__broken", 1],
      ["Bash", 1],
      ["Agent", 1],
      ["mcp__demo__lookup", 1],
    ]);
    const [first, , broken, refused] = tools.map(labelsOf);
    expect(first).toMatchObject({
      "trustabl.tool.input_fp": canonicalFp({ q: "a" }),
      "trustabl.tool.output_fp": canonicalFp([{ type: "text", text: "found a" }]),
      "trustabl.tool.side_effect": "read",
    });
    expect(broken).toMatchObject({ "trustabl.tool.error_class": "5xx" });
    expect(refused).toMatchObject({ "trustabl.tool.output_fp": canonicalFp(null) });
  });
});
