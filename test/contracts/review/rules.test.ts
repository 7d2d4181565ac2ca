import { describe, expect, it } from "vitest";
import { reviewRules as rules } from "../../../src/contracts/review/index.ts";
import { RULES } from "../../../src/contracts/review/rules/index.ts";
import { claudeTool, contract, findingsOf, openaiTool, plainTool, rulesFor, toolWith } from "./support.ts";

const bash = { allowedTools: ["Bash"] };

/** For each rule what it finds, and what it must leave alone: the nearest thing that is right. */
const CASES: Record<
  string,
  { readonly finds: Record<string, unknown>; readonly leaves: Record<string, unknown> }
> = {
  "CSDK-001": {
    finds: {
      "no description": claudeTool({ description: undefined }),
      "an empty one": claudeTool({ description: "" }),
      "a blank one": claudeTool({ description: " \n\t\u00a0" }),
      "invisible characters": claudeTool({ description: "\u200b\ufeff" }),
      "only the name": claudeTool({ description: " rerun_job " }),
    },
    leaves: { "a description": claudeTool(), "another SDK's tool": openaiTool({ description: "" }) },
  },
  "OAI-001": {
    finds: {
      "no description": openaiTool({ description: undefined }),
      "an empty one": openaiTool({ description: "" }),
      "a blank one": openaiTool({ description: "  " }),
    },
    leaves: { "a description": openaiTool(), "another SDK's tool": claudeTool({ description: "" }) },
  },
  "CSDK-101": {
    finds: { "a bare grant": bash },
    leaves: { "a prefix": { allowedTools: ["Bash(git diff:*)"] }, "no grant": { allowedTools: ["Read"] } },
  },
  "CONTRACT-001": {
    finds: {
      "a vague verb": plainTool({ name: "run" }),
      "in capitals": plainTool({ name: "Update" }),
      "an object that says nothing": plainTool({ name: "do_it" }),
    },
    leaves: {
      "a verb with its object": plainTool({ name: "run_job" }),
      "camel case": plainTool({ name: "updateOrder" }),
    },
  },
  "CONTRACT-002": {
    finds: { "one word": plainTool({ name: "search" }) },
    leaves: {
      "a verb with its object": plainTool({ name: "search_flights" }),
      "camel case": plainTool({ name: "searchFlights" }),
      "what is vague already": plainTool({ name: "run" }),
    },
  },
  "CONTRACT-003": {
    finds: {
      "no description": plainTool({ description: undefined }),
      "a blank one": plainTool({ description: " " }),
      "a contract's": { rerun_job: contract({ description: "" }) },
    },
    leaves: {
      "a description": plainTool(),
      "what CSDK-001 finds": claudeTool({ description: "" }),
      "what OAI-001 finds": openaiTool({ description: "" }),
    },
  },
  "CONTRACT-004": {
    finds: {
      "an object that does not say": toolWith({}, { additionalProperties: undefined }),
      "an open one": toolWith({}, { additionalProperties: true }),
      "a record": toolWith({
        tags: { type: "object", additionalProperties: { type: "string", maxLength: 9 } },
      }),
      "an open object in a list": toolWith({
        list: { type: "array", maxItems: 3, items: { type: "object" } },
      }),
      "no type at all": plainTool({ input_schema: {} }),
    },
    leaves: {
      "a closed object": plainTool(),
      "one closed by unevaluatedProperties": toolWith(
        {},
        { additionalProperties: undefined, unevaluatedProperties: false },
      ),
    },
  },
  "CONTRACT-005": {
    finds: {
      "an empty schema": toolWith({ value: {} }),
      true: toolWith({ value: true }),
      "only a description": toolWith({ value: { description: "anything" } }),
      "in a choice": toolWith({ value: { anyOf: [{ type: "null" }, {}] } }),
    },
    leaves: {
      "a type": toolWith({ value: { type: "boolean" } }),
      "a list of values": toolWith({ value: { enum: ["a", 1] } }),
      "a choice of types": toolWith({ value: { anyOf: [{ type: "null" }, { type: "integer" }] } }),
      "nothing at all": toolWith({ value: false }),
    },
  },
  "CONTRACT-006": {
    finds: {
      "a text": toolWith({ text: { type: "string" } }),
      "a text or null": toolWith({ text: { type: ["string", "null"] } }),
      "in a list": toolWith({ texts: { type: "array", maxItems: 3, items: { type: "string" } } }),
      "behind a reference": toolWith(
        { text: { $ref: "#/$defs/text" } },
        { $defs: { text: { type: "string" } } },
      ),
      "a format that nobody checks": toolWith({ text: { type: "string", format: "uuid" } }),
    },
    leaves: {
      "a greatest length": toolWith({ text: { type: "string", maxLength: 12 } }),
      "allowed values": toolWith({ text: { type: "string", enum: ["a"] } }),
      "one value": toolWith({ text: { type: "string", const: "a" } }),
      "bounded by allOf": toolWith({ text: { allOf: [{ type: "string" }, { maxLength: 3 }] } }),
      "what CONTRACT-008 finds": toolWith({ text: { type: "string", pattern: "^a$" } }),
    },
  },
  "CONTRACT-007": {
    finds: { "a list": toolWith({ ids: { type: "array", items: { type: "integer" } } }) },
    leaves: {
      "a greatest length": toolWith({ ids: { type: "array", maxItems: 9, items: { type: "integer" } } }),
      "a tuple": toolWith({ pair: { type: "array", prefixItems: [{ type: "integer" }], items: false } }),
    },
  },
  "CONTRACT-008": {
    finds: { "a pattern alone": toolWith({ id: { type: "string", pattern: "^[0-9]+$" } }) },
    leaves: {
      "a pattern on a bounded text": toolWith({ id: { type: "string", pattern: "^[0-9]+$", maxLength: 9 } }),
      "a format of bounded length": toolWith({ id: { type: "string", format: "uuid", pattern: "^.+$" } }),
    },
  },
  "CONTRACT-009": {
    finds: {
      "no anchor": toolWith({ id: { type: "string", maxLength: 9, pattern: "[0-9]+" } }),
      "one anchor": toolWith({ id: { type: "string", maxLength: 9, pattern: "^[0-9]+" } }),
      "alternatives outside a group": toolWith({ id: { type: "string", maxLength: 9, pattern: "^a|b$" } }),
      "an escaped anchor": toolWith({ id: { type: "string", maxLength: 9, pattern: "^a\\$" } }),
    },
    leaves: {
      "both anchors": toolWith({ id: { type: "string", maxLength: 9, pattern: "^[0-9|]+$" } }),
      "alternatives in a group": toolWith({ id: { type: "string", maxLength: 9, pattern: "^(a|b)$" } }),
      "an escaped bar": toolWith({ id: { type: "string", maxLength: 9, pattern: "^a\\|b$" } }),
    },
  },
  "CONTRACT-010": {
    finds: {
      "a flag": toolWith({ confirmed: { type: "boolean" } }),
      "in camel case": toolWith({ isApproved: { type: "boolean" } }),
      "one value": toolWith({ confirm: { const: "yes" } }),
    },
    leaves: {
      "another flag": toolWith({ dry_run: { type: "boolean" } }),
      "the number of an approval": toolWith({ approval_id: { type: "string", maxLength: 12 } }),
    },
  },
  "CONTRACT-011": {
    finds: {
      "an irreversible contract": {
        delete_account: contract({ sideEffect: "irreversible", confirm: false }),
      },
    },
    leaves: {
      "with a confirmation": { delete_account: contract({ sideEffect: "irreversible", confirm: true }) },
      "a reading one": { read_account: contract({ sideEffect: "read", confirm: false }) },
      "where permissions are the session's": claudeTool({ annotations: { destructiveHint: true } }),
    },
  },
  "CONTRACT-012": {
    finds: {
      "a writing contract": { rerun_job: contract({ sideEffect: "write", confirm: false }) },
      "one that does not say": { rerun_job: contract({ sideEffect: undefined, confirm: false }) },
    },
    leaves: {
      "with a confirmation": { rerun_job: contract({ sideEffect: "write", confirm: true }) },
      "a pure one": { add_numbers: contract({ sideEffect: "pure", confirm: false }) },
      "a tool that has no place to say it": plainTool(),
    },
  },
  "CONTRACT-013": {
    finds: {
      "no list": toolWith({ page: { type: "integer" } }, { required: undefined }),
      "an empty list": toolWith({ page: { type: "integer" } }, { required: [] }),
    },
    leaves: { "a required field": plainTool(), "no fields": toolWith({}) },
  },
  "CONTRACT-014": {
    finds: {
      "a severity": toolWith({ severity: { type: "string", maxLength: 9 } }),
      "an issue's status": toolWith({ issueStatus: { type: "string", maxLength: 9 } }),
    },
    leaves: {
      "allowed values": toolWith({ severity: { type: "string", enum: ["p1", "p2"] } }),
      "a number": toolWith({ level: { type: "integer" } }),
      "another field": toolWith({ status_text: { type: "string", maxLength: 9 } }),
    },
  },
};

describe("the rules", () => {
  it("each have cases here", () => {
    expect(Object.keys(CASES).sort()).toEqual(rules.map(({ id }) => id).sort());
  });

  for (const [rule, { finds, leaves }] of Object.entries(CASES)) {
    describe(rule, () => {
      it.each(Object.entries(finds))("finds %s", (_, definition) => {
        expect(rulesFor(definition)).toContain(rule);
      });
      it.each(Object.entries(leaves))("leaves alone: %s", (_, definition) => {
        expect(rulesFor(definition)).not.toContain(rule);
      });
    });
  }

  it("find nothing on a tool that keeps them", () => {
    for (const tool of [plainTool(), openaiTool(), claudeTool(), { rerun_job: contract() }])
      expect(rulesFor(tool)).toEqual([]);
  });

  it("are the ones that other languages have, with their weight", () => {
    const weights = Object.fromEntries(
      rules.map(({ id, severity, confidence, scope }) => [id, [severity, confidence, scope]]),
    );
    expect(weights).toMatchObject({
      "CSDK-001": ["medium", 0.9, "tool"],
      "CSDK-101": ["high", 0.8, "agent"],
      "OAI-001": ["low", 0.9, "tool"],
    });
  });

  it("say everything that a person needs, in sentences", () => {
    for (const rule of RULES) {
      const { title, why, directive, appliesWhen, severityBecause, found } = rule;
      expect(rule.about).toBe(rule.scope);
      expect(title).not.toMatch(/\.$/);
      for (const sentence of [why, directive, appliesWhen, severityBecause, ...Object.values(found)])
        expect(sentence, rule.id).toMatch(/^[A-Z`].*\.$/s);
    }
  });
});

describe("findings", () => {
  it("come by severity, then by confidence", () => {
    const findings = findingsOf([
      { allowedTools: ["Bash"] },
      toolWith({
        list: { type: "array" },
        text: { type: "string" },
        confirmed: { type: "boolean" },
        any: {},
      }),
    ]);
    expect(findings.map(({ rule, severity, confidence }) => [rule, severity, confidence])).toEqual([
      ["CONTRACT-010", "high", 0.8],
      ["CSDK-101", "high", 0.8],
      ["CONTRACT-005", "medium", 0.85],
      ["CONTRACT-007", "medium", 0.75],
      ["CONTRACT-006", "low", 0.7],
    ]);
  });

  it("say how to act: severe ones are changed and named, the others applied", () => {
    const [severe, mild] = findingsOf([{ allowedTools: ["Bash"] }, claudeTool({ description: "" })]);
    expect([severe?.action, mild?.action]).toEqual(["change-and-name-the-rule", "apply-the-directive"]);
  });

  it("name the places in the schema, the first eight of them", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 11 }, (_, index) => [`field${index}`, { type: "string" }]),
    );
    const [finding] = findingsOf(toolWith(properties));
    expect(finding?.places[0]).toBe("/properties/field0");
    expect([finding?.places.length, finding?.morePlaces]).toEqual([8, 3]);
  });

  it("hold nothing of a definition but names, made fit to be shown", () => {
    const secret = "sk-live-123";
    const text = JSON.stringify(
      findingsOf([
        plainTool({
          name: "run\u001b[31m<b>\n",
          description: `${secret}`,
          input_schema: {
            type: "object",
            properties: {
              "a\u202eb": { type: "string", default: secret, pattern: secret, examples: [secret] },
            },
          },
        }),
        { allowedTools: ["Bash"], systemPrompt: secret, env: { KEY: secret } },
      ]),
    );
    expect(text).not.toContain(secret);
    expect(text).toContain("run??31m?b??");
    expect(text).toContain("/properties/a?b");
  });
});
