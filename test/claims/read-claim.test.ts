import { describe, expect, it } from "vitest";
import { claimSchema, type ToolInvocationExplanation } from "../../src/claims/claim.ts";
import { agreeing, FAMILIES, VOCABULARY } from "../../src/claims/conformance/families.ts";
import { digestOfText } from "../../src/claims/digest.ts";
import { readClaim } from "../../src/claims/read-claim.ts";

const family = FAMILIES[3]!;
const claim = (): Record<string, unknown> => agreeing(family).claim;
const faultsOf = (value: unknown, vocabulary = VOCABULARY) => [...readClaim(value, vocabulary).faults];

describe("a claim", () => {
  it("is read as it is", () => {
    const given = { ...claim(), summary: "for the archive" };
    expect(readClaim(given, VOCABULARY)).toEqual({ claim: given, faults: new Set() });
  });

  it("may leave its summary out; null says the same", () => {
    const { claim: read, faults } = readClaim({ ...claim(), summary: null }, VOCABULARY);
    expect(faults.size).toBe(0);
    expect(read).toEqual(claim());
  });

  it.each([undefined, null])("that is %s is missing", (value) => {
    expect(faultsOf(value)).toEqual(["missing"]);
  });

  it.each([
    ["a text", JSON.stringify(claim())],
    ["a list", [claim()]],
    ["a number", 1],
    ["true", true],
    ["empty", {}],
    [
      "of another operation",
      { ...claim(), expected_effect: { ...(claim().expected_effect as object), operation: "pay" } },
    ],
    ["of another intent class", { ...claim(), intent_class: "whatever" }],
    ["of another risk", { ...claim(), risk_tier: "none" }],
    ["without a part of its effect", { ...claim(), expected_effect: { operation: "send" } }],
    [
      "with a number of items that is no whole number",
      { ...claim(), expected_effect: { ...(claim().expected_effect as object), max_items: 1.5 } },
    ],
    [
      "with fewer than no items",
      { ...claim(), expected_effect: { ...(claim().expected_effect as object), max_items: -1 } },
    ],
    [
      "with endless items",
      {
        ...claim(),
        expected_effect: { ...(claim().expected_effect as object), max_items: Number.POSITIVE_INFINITY },
      },
    ],
    [
      "with a digest of another form",
      { ...claim(), untrusted_context: [{ source: "page", digest: "sha256:00" }] },
    ],
    [
      "with 33 resources",
      {
        ...claim(),
        expected_effect: {
          ...(claim().expected_effect as object),
          resource_ids: Array.from({ length: 33 }, String),
        },
      },
    ],
    ["with a long name", { ...claim(), selected_tool: "x".repeat(257) }],
    ["of 1 MB", { ...claim(), summary: "x".repeat(1_000_000) }],
    [
      "that is deep",
      { ...claim(), untrusted_context: JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`) },
    ],
  ])("that is %s is malformed", (_, value) => {
    expect(faultsOf(value)).toContain("malformed");
  });

  it("of another version is of an unknown version", () => {
    expect(faultsOf({ ...claim(), schema_version: "ebte-0.2" })).toEqual(["unknown_version"]);
  });

  it.each([
    ["at the top", { ...claim(), raw_content: "x" }],
    ["in the effect", { ...claim(), expected_effect: { ...(claim().expected_effect as object), note: "x" } }],
    ["in a list", { ...claim(), evidence_refs: [{ type: "intent", digest: digestOfText(""), text: "x" }] }],
    [
      "of the name __proto__",
      JSON.parse(JSON.stringify(claim()).replace("{", '{"__proto__":{"risk_tier":"low"},')),
    ],
  ])("with a further member %s has undeclared content", (_, value) => {
    expect(faultsOf(value)).toContain("undeclared_content");
  });

  it("whose members throw, or change, is not read", () => {
    const throwing = Object.defineProperty(claim(), "risk_tier", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    expect(readClaim(throwing, VOCABULARY).claim).toBeUndefined();
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(readClaim(proxy, VOCABULARY).claim).toBeUndefined();
  });

  it("does not change with the object that it was read from", () => {
    const given = claim();
    const { claim: read } = readClaim(given, VOCABULARY);
    (given.expected_effect as { max_items: number }).max_items = 99;
    expect(read?.expected_effect.max_items).toBe(1);
  });
});

describe("the camelCase spelling", () => {
  const vocabulary = { ...VOCABULARY, spelling: "camelCase" } as const;
  const camel = () => {
    const { expected_effect: effect, ...rest } = claim() as unknown as ToolInvocationExplanation;
    return {
      schemaVersion: rest.schema_version,
      intentClass: rest.intent_class,
      selectedTool: rest.selected_tool,
      expectedEffect: {
        operation: effect.operation,
        resourceType: effect.resource_type,
        resourceIds: effect.resource_ids,
        maxItems: effect.max_items,
        destination: effect.destination,
      },
      riskTier: rest.risk_tier,
      uncertainty: rest.uncertainty,
      untrustedContext: rest.untrusted_context,
      evidenceRefs: rest.evidence_refs,
    };
  };

  it("is read as the same claim", () => {
    expect(readClaim(camel(), vocabulary).claim).toEqual(claim());
  });

  it("does not take the other one, nor the other way round", () => {
    expect(faultsOf(claim(), vocabulary)).toContain("undeclared_content");
    expect(faultsOf(camel())).toContain("undeclared_content");
  });

  it("knows its version", () => {
    expect(faultsOf({ ...camel(), schemaVersion: "1" }, vocabulary)).toEqual(["unknown_version"]);
  });
});

describe("the vocabulary", () => {
  it("closes the set of types of resources, where it has one", () => {
    const vocabulary = { ...VOCABULARY, resourceTypes: ["record"] };
    const withType = (resource_type: unknown) => ({
      ...claim(),
      expected_effect: { ...(claim().expected_effect as object), resource_type },
    });
    expect(faultsOf(withType("record"), vocabulary)).toEqual([]);
    expect(faultsOf(withType(null), vocabulary)).toEqual([]);
    expect(faultsOf(withType("person"), vocabulary)).toEqual(["malformed"]);
  });

  it.each([
    ["no classes", { intentClasses: [] }],
    ["classes that are no texts", { intentClasses: [1] }],
    ["an empty word", { intentClasses: [""] }],
    ["no types", { intentClasses: ["read"], resourceTypes: [] }],
  ])("with %s is refused at once", (_, vocabulary) => {
    expect(() => claimSchema(vocabulary as never)).toThrow(TypeError);
  });
});
