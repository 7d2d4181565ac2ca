import { Validator } from "@cfworker/json-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineTools } from "../../src/contracts/index.ts";
import type { InputSchema, JsonValue } from "../../src/contracts/schema.ts";
import { problemsOf } from "../../src/contracts/validate/check.ts";
import { prepareSchema } from "../../src/contracts/validate/prepared-schema.ts";
import { inputSchema, objectSchema, valueFor } from "./arbitraries.ts";

const schemaAndValue = inputSchema.chain((schema) =>
  valueFor(schema).map((value) => ({ schema, value: JSON.parse(JSON.stringify(value)) as JsonValue })),
);

const isAllowed = ({ schema, value }: { schema: InputSchema; value: JsonValue }) =>
  problemsOf(value, prepareSchema(schema)).length === 0;

describe("the validator says of any schema of the subset and any value what", () => {
  it("ajv says", () => {
    const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true });
    let allowed = 0;
    fc.assert(
      fc.property(schemaAndValue, ({ schema, value }) => {
        // Its own test of equality calls the member `toString` of what it compares.
        fc.pre(!JSON.stringify(value).includes("toString"));
        const own = isAllowed({ schema, value });
        if (own) allowed++;
        expect(own).toBe(ajv.compile(schema)(value));
      }),
      { numRuns: 1_000 },
    );
    // A test that saw one verdict only would say nothing.
    expect(allowed).toBeGreaterThan(150);
    expect(allowed).toBeLessThan(850);
  });

  it("@cfworker/json-schema says", () => {
    fc.assert(
      fc.property(schemaAndValue, ({ schema, value }) => {
        const other = new Validator(schema as object, "2020-12").validate(value);
        expect(isAllowed({ schema, value })).toBe(other.valid);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("a contract", () => {
  const inputAndValue = objectSchema.chain((input) => valueFor(input).map((value) => ({ input, value })));

  it("answers any value, and gives back an equal copy of what it allows", () => {
    fc.assert(
      fc.property(inputAndValue, ({ input, value }) => {
        const tools = defineTools({ open_issue: { description: "Opens an issue.", input } });
        const answer = tools.open_issue.validate(value, { nullIsMissing: false });
        expect(answer.ok).toBe(typeof value === "object" && isAllowed({ schema: input, value }));
        if (answer.ok) {
          expect(answer.value).toEqual(value);
          expect(answer.value).not.toBe(value);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("is the same after a way through JSON", () => {
    fc.assert(
      fc.property(objectSchema, (input) => {
        const tools = defineTools({ open_issue: { description: "Opens an issue.", input } });
        expect(defineTools(JSON.parse(JSON.stringify(tools)))).toStrictEqual(tools);
      }),
      { numRuns: 200 },
    );
  });
});
