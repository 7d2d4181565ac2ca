import { asSchema } from "ai";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineTools, type SchemaTarget } from "../../src/contracts/index.ts";
import { objectSchema, valueFor } from "./arbitraries.ts";

const tools = defineTools({
  open_issue: {
    description: "Opens an issue.",
    input: {
      type: "object",
      additionalProperties: false,
      required: ["title"],
      properties: {
        title: { type: "string", minLength: 1, maxLength: 80, description: "What is wrong." },
        severity: { enum: ["p1", "p2"], default: "p2" },
        kind: { const: "bug" },
        labels: { type: "array", maxItems: 3, uniqueItems: true, items: { type: "string", maxLength: 9 } },
        place: {
          type: "object",
          additionalProperties: false,
          required: ["file"],
          properties: {
            file: { type: "string", maxLength: 200 },
            line: { type: ["integer", "null"], minimum: 1 },
          },
        },
      },
    },
  },
  list_jobs: { description: "Lists jobs.", input: { type: "object", additionalProperties: false } },
});

describe("the JSON Schema of a contract", () => {
  it.each<SchemaTarget>(["json-schema", "anthropic", "mcp", "ai-sdk"])(
    "is the contract's own text for %s",
    (target) => {
      expect(tools.open_issue.jsonSchema(target)).toEqual(tools.open_issue.input);
      expect(tools.list_jobs.jsonSchema(target)).toEqual({
        type: "object",
        additionalProperties: false,
        properties: {},
      });
    },
  );

  it("is in strict mode for OpenAI: everything required, null for what was optional, bounds in words", () => {
    expect(tools.open_issue.jsonSchema("openai")).toEqual({
      type: "object",
      additionalProperties: false,
      required: ["title", "severity", "kind", "labels", "place"],
      properties: {
        title: { type: "string", description: "What is wrong. Of 1 to 80 characters." },
        severity: { type: ["string", "null"], enum: ["p1", "p2", null], description: 'Default: "p2".' },
        kind: { type: ["string", "null"], enum: ["bug", null] },
        labels: {
          type: ["array", "null"],
          maxItems: 3,
          items: { type: "string", description: "Of at most 9 characters." },
          description: "That are all different.",
        },
        place: {
          type: ["object", "null"],
          additionalProperties: false,
          required: ["file", "line"],
          properties: {
            file: { type: "string", description: "Of at most 200 characters." },
            line: { type: ["integer", "null"], minimum: 1 },
          },
        },
      },
    });
    expect(tools.list_jobs.jsonSchema("openai")).toEqual({
      type: "object",
      additionalProperties: false,
      properties: {},
      required: [],
    });
  });

  it("is a fresh one each time, so that a consumer that writes on it changes nothing", () => {
    const schema = tools.open_issue.jsonSchema() as { properties: { title: { maxLength: number } } };
    schema.properties.title.maxLength = 1_000;
    expect(tools.open_issue.jsonSchema()).toEqual(tools.open_issue.input);
    expect(tools.open_issue.jsonSchema("mcp")).not.toBe(tools.open_issue.jsonSchema("mcp"));
  });

  it("is for targets that it knows", () => {
    expect(() => tools.open_issue.jsonSchema("gemini" as never)).toThrow(RangeError);
  });

  it("in strict mode lets a model say everything that the contract allows", () => {
    const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true });
    fc.assert(
      fc.property(
        objectSchema.chain((input) => valueFor(input).map((value) => ({ input, value }))),
        ({ input, value }) => {
          fc.pre(!JSON.stringify([input, value]).includes("toString"));
          const { open_issue } = defineTools({ open_issue: { description: "x", input } });
          const answer = open_issue.validate(value);
          if (!answer.ok) return;
          const strict = withNulls(JSON.parse(JSON.stringify(answer.value)), open_issue.jsonSchema("openai"));
          const isStrict = ajv.compile(open_issue.jsonSchema("openai"));
          expect(isStrict(strict), JSON.stringify(isStrict.errors)).toBe(true);
          expect(open_issue.validate(strict).ok).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});

type Node = { properties?: Record<string, Node>; items?: Node; enum?: unknown };

/** What a model in strict mode sends for a value: null for every member that is not there. */
function withNulls(value: unknown, schema: Node): unknown {
  if (Array.isArray(value))
    return value.map((item) => (schema.items === undefined ? item : withNulls(item, schema.items)));
  if (typeof value !== "object" || value === null || schema.properties === undefined) return value;
  const members = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, member]) => [
      name,
      Object.hasOwn(members, name) ? withNulls(members[name], member) : null,
    ]),
  );
}

describe("a contract as a Standard Schema", () => {
  const standard = tools.open_issue["~standard"];

  it("validates", () => {
    expect(standard.version).toBe(1);
    expect(standard.validate({ title: "a", severity: null })).toEqual({ value: { title: "a" } });
    expect(standard.validate({ title: "a", place: { line: 0, file: "x" } })).toEqual({
      issues: [{ message: "expected a whole number of at least 1 or null", path: ["place", "line"] }],
    });
    expect(standard.validate('{"title":"a"}')).toEqual({
      issues: [{ message: "expected an object", path: [] }],
    });
  });

  it("tells its JSON Schema, in the drafts that it is written in", () => {
    for (const target of ["draft-2020-12", "draft-07"]) {
      expect(standard.jsonSchema.input({ target })).toEqual(tools.open_issue.input);
      expect(standard.jsonSchema.output({ target })).toEqual(tools.open_issue.input);
    }
    expect(() => standard.jsonSchema.input({ target: "openapi-3.0" })).toThrow(RangeError);
  });

  it("works without its contract, as frameworks take it apart", () => {
    const { validate, jsonSchema } = tools.open_issue["~standard"];
    expect(validate({})).toHaveProperty("issues");
    expect(jsonSchema.input({ target: "draft-07" })).toHaveProperty("type", "object");
  });

  it("is taken by the AI SDK as it is", async () => {
    const schema = asSchema(tools.open_issue);
    expect(await schema.jsonSchema).toMatchObject({
      type: "object",
      additionalProperties: false,
      required: ["title"],
    });
    expect(await schema.validate?.({ title: "a" })).toMatchObject({ success: true, value: { title: "a" } });
    expect(await schema.validate?.({ title: "" })).toMatchObject({ success: false });
  });
});
