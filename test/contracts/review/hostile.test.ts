import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatReview, REVIEW_FORMATS, reviewDefinitions } from "../../../src/contracts/review/index.ts";
import { claudeTool, openaiAgent, openaiTool, plainTool, toolWith } from "./support.ts";

const throwing = (): never => {
  throw new Error("sk-live-123");
};
const trap = new Proxy({}, { get: throwing, has: throwing, ownKeys: throwing, getPrototypeOf: throwing });
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
/** Has every member, and each of them has every member. */
const everything: object = new Proxy(
  {},
  {
    get: (_, name) => (name === Symbol.toStringTag ? "Module" : everything),
    ownKeys: () => ["a", "b"],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }),
  },
);
const endless = (): object =>
  new Proxy(
    {},
    {
      get: (_, name) => (name === "type" ? "object" : endless()),
      ownKeys: () => ["a", "b"],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  );
const circular: Record<string, unknown> = { type: "object" };
circular.properties = { self: circular };
const deep = () => {
  let schema: object = { type: "string" };
  for (let depth = 0; depth < 10_000; depth += 1) schema = { type: "array", items: schema };
  return schema;
};
const chain = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [
    `n${index}`,
    {
      type: "object",
      properties: { a: { $ref: `#/$defs/n${index + 1}` }, b: { $ref: `#/$defs/n${index + 1}` } },
    },
  ]),
);
const selfMade = { "~standard": {}, def: { type: "object", shape: {} as Record<string, unknown> } };
selfMade.def.shape.again = selfMade;
const giver = (): unknown => giver;

describe("a review survives", () => {
  it.each<[string, unknown]>([
    ["an object that throws at every touch", trap],
    ["a revoked proxy", revoked],
    ["an object that has everything", everything],
    ["objects without an end", endless()],
    [
      "hostile objects in each place of an agent",
      openaiAgent({ tools: [trap, revoked, everything], handoffs: trap }),
    ],
    [
      "hostile options",
      { allowedTools: trap, hooks: { PreToolUse: [trap, { matcher: trap, hooks: trap }] }, agents: trap },
    ],
    ["a list that says it is longer than it is", Object.assign([], { length: 4_294_967_295 })],
    ["a circular schema", plainTool({ input_schema: circular })],
    ["a schema that is very deep", plainTool({ input_schema: deep() })],
    [
      "a schema that doubles at each of 40 references",
      toolWith({ a: { $ref: "#/$defs/n0" } }, { $defs: chain }),
    ],
    ["a reference to itself", toolWith({ a: { $ref: "#/properties/a" } })],
    ["a schema that contains itself", claudeTool({ inputSchema: { a: selfMade } })],
    ["a schema function that gives itself", { look_up: { description: "d", inputSchema: giver } }],
    [
      "a matcher that backtracks",
      {
        allowedTools: ["Bash"],
        hooks: { PreToolUse: [{ matcher: "(a+)+$".repeat(5_000), hooks: [giver] }] },
      },
    ],
    ["a grant of a megabyte", { allowedTools: [`Bash(${"*".repeat(1_000_000)}`] }],
    ["names of members that are dangerous", toolWith({ ["__proto__"]: {}, constructor: { type: "string" } })],
    ["a name of a megabyte", plainTool({ name: "a".repeat(1_000_000) })],
    ["100000 tools", Array.from({ length: 100_000 }, () => plainTool())],
  ])("%s", (_, definition) => {
    const review = reviewDefinitions(definition);
    for (const format of REVIEW_FORMATS) {
      const text = formatReview(review, { format });
      expect(text.length).toBeLessThan(20_000_000);
      expect(text).not.toContain("sk-live");
    }
    expect(({} as Record<string, unknown>).type).toBeUndefined();
  });

  it("and says what could not be read, and that nothing more was looked at", () => {
    const tool = openaiTool();
    Object.defineProperty(tool, "parameters", { get: throwing, enumerable: true });
    expect(reviewDefinitions(tool).skipped.map(({ reason }) => reason)).toEqual([
      expect.stringContaining("could not be read as JSON Schema"),
      expect.stringContaining("A member could not be read"),
    ]);
    const doubling = toolWith({ a: { $ref: "#/$defs/n0" } }, { $defs: chain });
    expect(reviewDefinitions(doubling).skipped.map(({ reason }) => reason)).toEqual([
      expect.stringContaining("more places than are looked at"),
    ]);
    expect(
      reviewDefinitions(Array.from({ length: 100_000 }, () => plainTool())).skipped.map(
        ({ reason }) => reason,
      ),
    ).toEqual([expect.stringContaining("list was too long")]);
  });

  it("and never throws, whatever it is given", () => {
    const keys = fc.constantFrom(
      "name",
      "description",
      "tools",
      "handoffs",
      "inputSchema",
      "input_schema",
      "parameters",
      "properties",
      "type",
      "allowedTools",
      "agents",
      "hooks",
      "PreToolUse",
      "prompt",
      "options",
      "handler",
      "items",
      "anyOf",
      "allOf",
      "$ref",
      "required",
    );
    const values = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(
          "Bash",
          "object",
          "string",
          "array",
          "function",
          "#",
          "#/properties/name",
          "bypassPermissions",
          "",
        ),
        fc.anything(),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(keys, tie("value"), { maxKeys: 6 }),
        fc.constant(() => ({})),
      ),
    }));
    fc.assert(
      fc.property(values.value, (definition) => {
        const review = reviewDefinitions(definition);
        for (const format of REVIEW_FORMATS) formatReview(review, { format });
        expect(reviewDefinitions(definition)).toEqual(review);
      }),
      { numRuns: 500 },
    );
  });
});
