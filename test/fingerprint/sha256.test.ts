import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as node from "../../src/fingerprint/sha256/node.ts";
import * as portable from "../../src/fingerprint/sha256/portable.ts";

/** What Node's own streaming hash says. */
const expected = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

const texts: readonly (readonly [string, string])[] = [
  ["nothing", ""],
  ["a block of ASCII, less one", "a".repeat(55)],
  ["a block of ASCII", "a".repeat(64)],
  ["two-byte characters", "é→ß".repeat(100)],
  ["pairs", "😀\u{10ffff}".repeat(100)],
  ["more than 64 Ki", "long ".repeat(20_000)],
  ["more than 64 Ki of two-byte characters", "→".repeat(70_000)],
];

describe.each([
  ["node", node],
  ["portable", portable],
])("sha256/%s", (_, { sha256, sha256Stream }) => {
  it.each(texts)("hashes %s", (_name, text) => {
    expect(sha256(text)).toBe(expected(text));
  });

  it.each(texts)("hashes %s in pieces", (_name, text) => {
    const stream = sha256Stream();
    const characters = [...text];
    for (let start = 0; start < characters.length; start += 1_000)
      stream.update(characters.slice(start, start + 1_000).join(""));
    expect(stream.digest()).toBe(expected(text));
  });
});

it("both agree on every text", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 300 }), { maxLength: 3 }), (pieces) => {
      const text = pieces.join("");
      expect(portable.sha256(text)).toBe(node.sha256(text));
      const streams = [portable.sha256Stream(), node.sha256Stream()];
      for (const stream of streams) for (const piece of pieces) stream.update(piece);
      expect(new Set(streams.map((stream) => stream.digest()))).toEqual(new Set([node.sha256(text)]));
    }),
    { numRuns: 200 },
  );
});

it("both have the same exports", () => {
  expect(Object.keys(portable).sort()).toEqual(Object.keys(node).sort());
});
