import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ContractDefinition,
  defineTools,
  diffRegistries,
  type InputSchema,
} from "../../src/contracts/index.ts";
import type { ObjectSchema } from "../../src/contracts/schema.ts";
import { inputSchema, objectSchema, valueFor } from "./arbitraries.ts";

const nothing = { type: "object", additionalProperties: false } as const;
const withMember = (member: InputSchema, required = false): ObjectSchema => ({
  ...nothing,
  properties: { it: member },
  ...(required && { required: ["it"] }),
});
const contract = (terms: Partial<ContractDefinition> = {}) =>
  defineTools({
    rerun_job: { description: "Runs a job.", input: withMember({ type: "string", maxLength: 9 }), ...terms },
  });
const changesOf = (before: Partial<ContractDefinition>, after: Partial<ContractDefinition>) =>
  diffRegistries(contract(before), contract(after)).map(({ kind, place }) => `${kind} ${place}`);
const memberChanges = (before: InputSchema, after: InputSchema) =>
  changesOf({ input: withMember(before) }, { input: withMember(after) }).map((change) =>
    change.replace("/input/properties/it", "it"),
  );

describe("a change of a contract", () => {
  it.each<[Partial<ContractDefinition>, Partial<ContractDefinition>, string]>([
    [{ confirm: true }, {}, "/confirm"],
    [{ sensitive: true }, { sensitive: false }, "/sensitive"],
    [{ risk: "high" }, { risk: "medium" }, "/risk"],
    [{}, { risk: "medium" }, "/risk"],
    [{ sideEffect: "write" }, { sideEffect: "read" }, "/sideEffect"],
    [{}, { sideEffect: "write" }, "/sideEffect"],
    [{ claim: "required" }, { claim: "none" }, "/claim"],
    [{}, { claim: "none" }, "/claim"],
    [
      { effect: { operation: "execute", maxItems: 1 } },
      { effect: { operation: "execute", maxItems: 2 } },
      "/effect/maxItems",
    ],
    [
      { effect: { operation: "execute", maxItems: 1 } },
      { effect: { operation: "execute" } },
      "/effect/maxItems",
    ],
    [
      { effect: { operation: "read", resourceIds: "/it" } },
      { effect: { operation: "read" } },
      "/effect/resourceIds",
    ],
    [
      { effect: { operation: "read", resourceType: "job" } },
      { effect: { operation: "read" } },
      "/effect/resourceType",
    ],
    [
      { effect: { operation: "send", destination: "/it" } },
      { effect: { operation: "send" } },
      "/effect/destination",
    ],
    [{ effect: { operation: "execute" } }, {}, "/effect"],
  ])(
    "that allows or unguards something is a loosening, and back a tightening: %j to %j",
    (strict, loose, place) => {
      expect(changesOf(strict, loose)).toEqual([`loosening ${place}`]);
      expect(changesOf(loose, strict)).toEqual([`tightening ${place}`]);
    },
  );

  it.each<[Partial<ContractDefinition>, Partial<ContractDefinition>, string]>([
    [{}, { description: "Starts a job again." }, "/description"],
    [{ title: "Rerun" }, {}, "/title"],
    [{ risk: "high" }, {}, "/risk"],
    [{ claim: "required" }, {}, "/claim"],
    [{ sideEffect: "irreversible" }, {}, "/sideEffect"],
  ])("that leaves the same calls allowed is neutral: %j to %j", (one, other, place) => {
    expect(changesOf(one, other)).toEqual([`neutral ${place}`]);
    expect(changesOf(other, one)).toEqual([`neutral ${place}`]);
  });

  it("of the operation is a loosening whatever it was", () => {
    const [one, other] = [{ effect: { operation: "create" } }, { effect: { operation: "update" } }] as const;
    expect(changesOf(one, other)).toEqual(["loosening /effect/operation"]);
    expect(changesOf(other, one)).toEqual(["loosening /effect/operation"]);
  });

  it("says what it was and what it is", () => {
    expect(diffRegistries(contract({ confirm: true }), contract())).toEqual([
      {
        tool: "rerun_job",
        place: "/confirm",
        kind: "loosening",
        what: "confirm changed",
        before: true,
        after: false,
      },
    ]);
  });

  it("that is none is not listed, whatever the order and the spelling", () => {
    expect(changesOf({ confirm: false }, {})).toEqual([]);
    expect(memberChanges({ enum: ["a", "b"] }, { enum: ["b", "a"] })).toEqual([]);
    expect(memberChanges({ const: "a" }, { enum: ["a"], type: "string" })).toEqual([]);
    expect(memberChanges({ type: "boolean" }, { enum: [false, true] })).toEqual([]);
    expect(
      memberChanges({ type: ["string", "null"], maxLength: 1 }, { maxLength: 1, type: ["null", "string"] }),
    ).toEqual([]);
  });
});

describe("a tool", () => {
  it("that is added is a loosening, one that is gone a tightening", () => {
    const more = defineTools({ ...contract(), escalate: { description: "Wakes someone.", input: nothing } });
    const added = diffRegistries(contract(), more);
    expect(added).toEqual([{ tool: "escalate", place: "", kind: "loosening", what: "tool added" }]);
    expect(diffRegistries(more, contract())).toEqual([
      { tool: "escalate", place: "", kind: "tightening", what: "tool removed" },
    ]);
  });
});

describe("a change of an argument", () => {
  const string: InputSchema = { type: "string", maxLength: 9 };
  const list: InputSchema = { type: "array", maxItems: 3, items: string };
  it.each<[InputSchema, InputSchema, string]>([
    [{ enum: ["p1", "p2"] }, { enum: ["p1", "p2", "p3"] }, "it/enum"],
    [{ ...string, minLength: 1 }, string, "it/minLength"],
    [string, { ...string, maxLength: 10 }, "it/maxLength"],
    [{ ...string, pattern: "^a$" }, string, "it/pattern"],
    [{ type: "integer", minimum: 1 }, { type: "integer" }, "it/minimum"],
    [{ type: "integer", minimum: 1 }, { type: "integer", minimum: 0 }, "it/minimum"],
    [{ type: "number", exclusiveMinimum: 1 }, { type: "number", minimum: 1 }, "it/exclusiveMinimum"],
    [{ type: "integer", maximum: 1 }, { type: "integer", maximum: 2 }, "it/maximum"],
    [{ type: "number", exclusiveMaximum: 1 }, { type: "number", maximum: 1 }, "it/exclusiveMaximum"],
    [{ type: "integer", multipleOf: 4 }, { type: "integer", multipleOf: 2 }, "it/multipleOf"],
    [{ type: "integer" }, { type: "number" }, "it/type"],
    [string, { ...string, type: ["string", "null"] }, "it/type"],
    [{ ...list, minItems: 1 }, list, "it/minItems"],
    [list, { ...list, maxItems: 4 }, "it/maxItems"],
    [{ ...list, uniqueItems: true }, list, "it/uniqueItems"],
    [list, { ...list, items: { ...string, maxLength: 10 } }, "it/items/maxLength"],
    [nothing, withMember(string), "it/properties/it"],
    [withMember(string, true), withMember(string), "it/required"],
  ])("goes the one way or the other: %j to %j", (strict, loose, place) => {
    expect(memberChanges(strict, loose)).toEqual([`loosening ${place}`]);
    expect(memberChanges(loose, strict)).toEqual([`tightening ${place}`]);
  });

  it("from a closed list to any text is a loosening", () => {
    expect(memberChanges({ enum: ["a"] }, string)).toEqual(["loosening it"]);
    expect(memberChanges(string, { enum: ["a"] })).toEqual(["tightening it/enum"]);
  });

  it("from one pattern to another is looked at as a loosening", () => {
    expect(memberChanges({ ...string, pattern: "^a$" }, { ...string, pattern: "^b$" })).toEqual([
      "loosening it/pattern",
    ]);
  });

  it("of words and defaults is neutral", () => {
    expect(memberChanges(string, { ...string, description: "A text.", title: "It", default: "a" })).toEqual([
      "neutral it/title",
      "neutral it/description",
      "neutral it/default",
    ]);
  });
});

describe("the list of changes", () => {
  const pairs = fc.oneof(
    fc.tuple(objectSchema, objectSchema),
    // Two schemas of one member, so that most pairs have something in common.
    fc
      .tuple(inputSchema, inputSchema, fc.boolean(), fc.boolean())
      .map(([one, other, was, is]) => [withMember(one, was), withMember(other, is)] as const),
    objectSchema.map((schema) => [schema, schema] as const),
  );

  it("has a loosening wherever a call is allowed that was not", () => {
    let gained = 0;
    fc.assert(
      fc.property(
        pairs.chain(([before, after]) =>
          fc.tuple(
            fc.constant(before),
            fc.constant(after),
            fc.array(valueFor(after), { minLength: 3, maxLength: 8 }),
          ),
        ),
        ([before, after, values]) => {
          const [one, other] = [contract({ input: before }), contract({ input: after })];
          const allowed = values.filter(
            (value) => other.rerun_job.validate(value).ok && !one.rerun_job.validate(value).ok,
          );
          if (allowed.length === 0) return;
          gained++;
          expect(diffRegistries(one, other).map(({ kind }) => kind)).toContain("loosening");
        },
      ),
      { numRuns: 1_000 },
    );
    expect(gained).toBeGreaterThan(100);
  });

  it("is empty for a registry and itself, and has a change for any other digest", () => {
    fc.assert(
      fc.property(pairs, ([before, after]) => {
        const [one, other] = [contract({ input: before }), contract({ input: after })];
        expect(diffRegistries(one, one)).toEqual([]);
        const back = diffRegistries(other, one).some(({ kind }) => kind === "loosening");
        // What tightens one way loosens the other way.
        if (diffRegistries(one, other).some(({ kind }) => kind === "tightening")) expect(back).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
