import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import {
  formatReview,
  type Review,
  reviewDefinitions,
  reviewRules as rules,
} from "../../../src/contracts/review/index.ts";
import { claudeTool, openaiAgent, plainTool, toolWith } from "./support.ts";

const all = [
  { allowedTools: ["Bash"] },
  claudeTool({ description: "", name: "<b>\u001b[31m" }),
  toolWith({ text: { type: "string" }, "a/b~c": { type: "array" } }),
  openaiAgent({ tools: [{ type: "hosted_tool", name: "web_search" }] }),
];
const review = reviewDefinitions(all, { source: "src/my agent.ts" });

const file = new URL("../../fixtures/sarif/sarif-2.1.0.json", import.meta.url);
// The schema is of draft 4; nothing in it means anything else in draft 7 but the name of its id.
const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(file, "utf8"));
const validate = new Ajv({
  strict: false,
  validateFormats: false,
  unicodeRegExp: false,
  allErrors: true,
}).compile(schema);

const sarifOf = (one: Review) => JSON.parse(formatReview(one, { format: "sarif" }));

describe("SARIF", () => {
  it.each([
    ["with findings", review],
    ["without a source", reviewDefinitions(all)],
    ["without findings", reviewDefinitions(plainTool())],
    ["with nothing recognised", reviewDefinitions(undefined)],
  ])("is what the official schema asks for: %s", (_, one) => {
    validate(sarifOf(one));
    expect(validate.errors).toBeNull();
  });

  it("is held against a schema that can refuse", () => {
    const log = sarifOf(review);
    log.runs[0].results[0].level = "terrible";
    expect(validate(log)).toBe(false);
  });

  it("has each rule with its weight, and each result with rule, level, file and subject", () => {
    const [run] = sarifOf(review).runs;
    expect(run.tool.driver.rules.map((rule: { id: string }) => rule.id)).toEqual(rules.map(({ id }) => id));
    for (const { ruleId, ruleIndex } of run.results) expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId);
    expect(run.results[0]).toMatchObject({
      ruleId: "CSDK-101",
      level: "error",
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: "src/my%20agent.ts" } },
          logicalLocations: [{ name: "definition", fullyQualifiedName: "claude-agent-sdk/agent/definition" }],
        },
      ],
      partialFingerprints: { "ruleAndSubject/v1": review.findings[0]?.fingerprint },
    });
  });

  it("says that an empty review was none", () => {
    expect(sarifOf(reviewDefinitions([])).runs[0].invocations[0].executionSuccessful).toBe(false);
  });
});

describe("JSON", () => {
  it("is the review with a version", () => {
    const { source, ...rest } = JSON.parse(formatReview(review, { format: "json" }));
    expect({ source, ...rest }).toEqual({ version: 1, ...review });
  });
});

describe("text", () => {
  it("says what was found, where, and how to act on it", () => {
    expect(formatReview(review)).toContain(
      `high      CSDK-101  agent definition: Claude agent is granted Bash without restriction (confidence 0.80)
          \`allowedTools\`, or a rule of the settings, grants all of \`Bash\`.
          Change it, and say that this rule asked for it: Grant exact prefixes`,
    );
    expect(formatReview(review)).toContain("          at /properties/a~1b~0c\n          Apply: ");
  });

  it("calls the root of an input what it is", () => {
    const open = reviewDefinitions(toolWith({}, { additionalProperties: true }));
    expect(formatReview(open)).toContain("          at the whole input\n");
  });

  it("ends with the counts, or with the reason that there are none", () => {
    const lastLine = (one: Review) => formatReview(one).trimEnd().split("\n").at(-1);
    expect(lastLine(review)).toBe("1 high, 2 medium, 1 low (2 tools, 2 agents)");
    expect(lastLine(reviewDefinitions(plainTool()))).toBe("no findings (1 tool, 0 agents)");
    expect(lastLine(reviewDefinitions([]))).toBe("nothing was recognised as a tool or an agent");
  });

  it("says what was not judged", () => {
    expect(formatReview(review)).toContain("not judged  triage: A tool that OpenAI runs");
  });

  it("says of a finding that it is back, or that it was not cleared", () => {
    const [finding] = review.findings;
    const as = (status: "open" | "returned") =>
      formatReview({ ...review, findings: finding === undefined ? [] : [{ ...finding, status }] });
    expect(as("returned")).toContain("It had been repaired, and is back.");
    expect(as("open")).toContain("what was done did not clear it");
  });

  it("is coloured only when asked, and never by a name", () => {
    expect(formatReview(review)).not.toContain("\u001b");
    expect(formatReview(review, { color: true })).toContain("\u001b[31mhigh");
  });
});
