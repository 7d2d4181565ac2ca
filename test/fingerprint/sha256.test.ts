import { createHash, createHmac } from "node:crypto";
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

// RFC 4231, those whose data is text: 4.2, 4.3, 4.6 (of which the RFC gives the first half), 4.7, 4.8.
const hmacs: readonly (readonly [key: Uint8Array, text: string, hmac: string])[] = [
  [
    new Uint8Array(20).fill(0x0b),
    "Hi There",
    "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
  ],
  [
    Buffer.from("Jefe"),
    "what do ya want for nothing?",
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  ],
  [new Uint8Array(20).fill(0x0c), "Test With Truncation", "a3b6167473100ee06e0c796c2955552b"],
  [
    new Uint8Array(131).fill(0xaa),
    "Test Using Larger Than Block-Size Key - Hash Key First",
    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
  ],
  [
    new Uint8Array(131).fill(0xaa),
    "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.",
    "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
  ],
];

describe.each([
  ["node", node],
  ["portable", portable],
])("HMAC-SHA-256 of sha256/%s", (_, { sha256Stream }) => {
  it.each(hmacs)("gives what RFC 4231 says", (key, text, hmac) => {
    const stream = sha256Stream(key);
    stream.update(text);
    expect(stream.digest().slice(0, hmac.length)).toBe(hmac);
  });
});

it("both agree on the HMAC of every text, with keys on both sides of a block of 64 bytes", () => {
  const keys = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ minLength: 63, maxLength: 65 }));
  const texts = fc.array(fc.string({ unit: "binary", maxLength: 300 }), { maxLength: 3 });
  fc.assert(
    fc.property(keys, texts, (key, pieces) => {
      const streams = [portable.sha256Stream(key), node.sha256Stream(key)];
      for (const stream of streams) for (const piece of pieces) stream.update(piece);
      const wanted = createHmac("sha256", key).update(pieces.join(""), "utf8").digest("hex");
      expect(streams.map((stream) => stream.digest())).toEqual([wanted, wanted]);
    }),
    { numRuns: 200 },
  );
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
