import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { KEYWORDS } from "../../src/contracts/define/keywords.ts";
import type { InputSchema, JsonValue } from "../../src/contracts/schema.ts";
import { problemsOf } from "../../src/contracts/validate/check.ts";
import { prepareSchema } from "../../src/contracts/validate/prepared-schema.ts";

/** The official suite's cases of the keywords of the subset, of draft 2020-12, and cases of our own. */
const folder = fileURLToPath(new URL("../fixtures/json-schema-test-suite/", import.meta.url));

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly {
    readonly description: string;
    readonly data: JsonValue;
    readonly valid: boolean;
  }[];
}

const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
const groups = files.flatMap((file) =>
  (JSON.parse(readFileSync(`${folder}${file}`, "utf8")) as Group[]).map((group) => ({ file, ...group })),
);

/** Whether a schema has no keyword that a contract could not have. Bounds are another matter, of definitions. */
function isInSubset(schema: unknown): schema is InputSchema {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return false;
  return Object.entries(schema).every(([keyword, value]) => {
    // The suite says which draft a schema is of.
    if (keyword === "$schema") return true;
    if (!Object.hasOwn(KEYWORDS, keyword)) return false;
    if (keyword === "properties") return Object.values(value as object).every(isInSubset);
    if (keyword === "items") return isInSubset(value);
    return keyword !== "additionalProperties" || value === false;
  });
}

const inside = groups.filter(({ schema }) => isInSubset(schema));

describe("the validator", () => {
  for (const { file, description, schema, tests } of inside) {
    it(`agrees with the official suite: ${file}, ${description}`, () => {
      const prepared = prepareSchema(schema as InputSchema);
      const wrong = tests.filter(({ data, valid }) => (problemsOf(data, prepared).length === 0) !== valid);
      expect(wrong).toEqual([]);
    });
  }

  it("is asked for every keyword that can refuse a value", () => {
    const asked = new Set(inside.flatMap(({ schema }) => Object.keys(schema as object)));
    const silent = ["title", "description", "default"];
    expect(
      Object.keys(KEYWORDS).filter((keyword) => !asked.has(keyword) && !silent.includes(keyword)),
    ).toEqual([]);
    expect(inside.flatMap(({ tests }) => tests).length).toBeGreaterThan(190);
  });
});
