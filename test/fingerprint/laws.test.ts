import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "#sha256";
import {
  canonicalFp,
  canonicalJson,
  stripVolatile,
  VOLATILE_KEYS,
  wireFp,
  wireJson,
} from "../../src/fingerprint/index.ts";
import { json, objectOf, refusalOf, volatile } from "./support.ts";

const LONG = 1_000;
/** Values for which the fast way and the slow one are compared: all that fit into a minute where nobody waits for them. */
const LONGEST = process.env.CI ? 100_000 : LONG;

/** The same value with the members of every object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== "object" || value === null) return value;
  return objectOf(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reordered(member)] as const),
  );
}

/** The same value with volatile members put into every object. */
function withVolatile(value: unknown, members: readonly (readonly [string, unknown])[]): unknown {
  if (Array.isArray(value)) return value.map((element) => withVolatile(element, members));
  if (typeof value !== "object" || value === null) return value;
  return objectOf([
    ...members,
    ...Object.entries(value)
      .filter(([key]) => !VOLATILE_KEYS.includes(key.toLowerCase()))
      .map(([key, member]) => [key, withVolatile(member, members)] as const),
  ]);
}

describe("for every JSON value", () => {
  it("the fast way and fast-json-stable-stringify give the same text", () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(canonicalFp(value)).toBe(sha256(text).slice(0, 16));
        expect(wireFp(value, volatile)).toBe(sha256(text).slice(0, 16));
      }),
      { numRuns: LONGEST },
    );
  }, 300_000);

  it("strict and wire form agree", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(wireJson(value, volatile)).toBe(canonicalJson(value));
      }),
      { numRuns: LONG },
    );
  });

  it("the order of members does not matter", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(reordered(value))).toBe(canonicalJson(value));
        expect(canonicalFp(reordered(value))).toBe(canonicalFp(value));
      }),
    );
  });

  it("volatile members do not matter", () => {
    const member = fc.tuple(
      fc.constantFrom(...VOLATILE_KEYS).chain((key) => fc.constantFrom(key, key.toUpperCase())),
      fc.oneof(json, fc.constantFrom(undefined, Number.NaN, "\ud800", 2 ** 60)),
    );
    fc.assert(
      fc.property(json, fc.array(member, { maxLength: 3 }), (value, members) => {
        expect(canonicalJson(withVolatile(value, members))).toBe(canonicalJson(withVolatile(value, [])));
        expect(canonicalFp(withVolatile(value, members))).toBe(canonicalFp(withVolatile(value, [])));
      }),
    );
  });

  it("stripping changes no text, and stripping twice is stripping once", () => {
    fc.assert(
      fc.property(json, (value) => {
        const stripped = stripVolatile(value);
        expect(canonicalJson(stripped)).toBe(canonicalJson(value));
        // Not `toStrictEqual`: it takes a `__proto__` member for the prototype.
        expect(isDeepStrictEqual(stripVolatile(stripped), stripped)).toBe(true);
      }),
    );
  });

  it("the text, parsed, has itself as its text", () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it("the text is what JSON.stringify writes for the sorted value", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.stringify(JSON.parse(canonicalJson(value)))).toHaveLength(canonicalJson(value).length);
      }),
    );
  });
});

describe("long texts, which are hashed in pieces", () => {
  it.each([
    ["many numbers", Array.from({ length: 60_000 }, (_, index) => index / 8)],
    ["many two-byte texts", Array.from({ length: 3_000 }, () => "→😀 and some more text, long enough")],
    [
      "one object with many members",
      Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key ${i}`, i])),
    ],
    ["one text of more than a section", { text: `${"a".repeat(65_535)}😀"${"→".repeat(1_100_000)}` }],
    ["pairs around the end of a section", { text: `"${"a".repeat(65_534)}😀${"b".repeat(65_533)}😀😀` }],
    [
      "records",
      Array.from({ length: 3_000 }, (_, i) => ({ z: i, a: `n ${i}`, ts: i, b: [i / 3, null, true], "": {} })),
    ],
  ])("%s", (_, value) => {
    const text = canonicalJson(value);
    expect(text.length).toBeGreaterThan(100_000);
    expect(canonicalFp(value)).toBe(sha256(text).slice(0, 16));
  });

  it.each([
    [Number.NaN, "not_finite"],
    [2 ** 53, "unsafe_integer"],
    [-(2 ** 53), "unsafe_integer"],
    ["\ud800", "unpaired_surrogate"],
  ])("%j is refused behind them as anywhere", (last, code) => {
    const list = [...Array.from({ length: 20_000 }, (_, index) => index / 3), last];
    const error = refusalOf(() => canonicalFp(list));
    expect(error.code).toBe(code);
    expect(error.path).toEqual([20_000]);
  });

  it.each([
    `\\ud800 as text, and a pair 😀${"\n".repeat(9)}`,
    `${"\n→".repeat(40_000)}\\udfff`,
    '"\\\\ud83d',
  ])("what only looks like half a pair is none", (text) => {
    expect(canonicalJson(text) === JSON.stringify(text)).toBe(true);
    expect(canonicalFp([text])).toBe(sha256(JSON.stringify([text])).slice(0, 16));
  });

  it.each([
    ["at the start", `\ud800${"\n".repeat(70_000)}`],
    ["at the end", `${"\n".repeat(70_000)}\ud800`],
    ["before the end of a section", `"${"a".repeat(65_534)}\ud800a`],
    ["behind the end of a section", `"${"a".repeat(65_535)}\udc00`],
    ["in a short text", "\n\udc00"],
    ["beside text that looks like it", "\\ud800\ud800"],
  ])("half a pair is refused %s", (_, text) => {
    expect(refusalOf(() => canonicalJson(text)).code).toBe("unpaired_surrogate");
    expect(refusalOf(() => canonicalFp([text])).code).toBe("unpaired_surrogate");
  });

  it("a long text is escaped as JSON.stringify does", () => {
    const text = `"${"a\n".repeat(700_000)}😀${"\u0001".repeat(10)}`;
    expect(canonicalJson(text) === JSON.stringify(text)).toBe(true);
  });
});
