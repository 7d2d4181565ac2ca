import { describe, expect, it } from "vitest";
import { effectOf } from "../../src/claims/effect.ts";

const declared = {
  operation: "send",
  resourceType: "mail",
  resourceIds: "/ids",
  destination: "/to",
} as const;

describe("what a call touches", () => {
  it("is taken from the arguments, where the contract points", () => {
    expect(effectOf(declared, { ids: ["a", "b"], to: "x@example.com" })).toEqual({
      operation: "send",
      resourceType: "mail",
      resourceIds: ["a", "b"],
      items: 2,
      destination: "x@example.com",
    });
  });

  it("may be one resource, and a number names one too", () => {
    expect(effectOf({ operation: "delete", resourceIds: "/job/id" }, { job: { id: 7 } })).toMatchObject({
      resourceType: null,
      resourceIds: ["7"],
      items: 1,
      destination: null,
    });
  });

  it("is as many items as the contract says, and never fewer than are named", () => {
    const of = (maxItems: number | string, args: object) => effectOf({ ...declared, maxItems }, args)?.items;
    const args = { ids: ["a", "b"], to: "x", limit: 500, many: -1 };
    expect(of(10, args)).toBe(10);
    expect(of(1, args)).toBe(2);
    expect(of("/limit", args)).toBe(500);
    expect(of("/many", args)).toBeUndefined();
    expect(of("/nowhere", args)).toBeUndefined();
  });

  it.each([
    ["an argument was left out", { ids: ["a"] }],
    ["a list is not of names", { ids: ["a", {}], to: "x" }],
    ["a destination is no text", { ids: ["a"], to: ["x"] }],
    ["the arguments are none", null],
    ["a pointer leads to a prototype", Object.create({ ids: ["a"], to: "x" })],
  ])("cannot be told when %s", (_, args) => {
    expect(effectOf(declared, args)).toBeUndefined();
  });

  it("cannot be told without a declaration, or by one of another form", () => {
    expect(effectOf(undefined, {})).toBeUndefined();
    expect(effectOf({ operation: "pay" } as never, {})).toBeUndefined();
    expect(effectOf({ operation: "read", resourceIds: "ids" }, { ids: ["a"] })).toBeUndefined();
  });
});
