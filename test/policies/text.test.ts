import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase64, decodeBase64Line, decodeJson, decodeUtf8, linesOf } from "../../src/policies/text.ts";

describe("strict decoding", () => {
  it("has one spelling of base64 for each sequence of bytes", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 100 }),
        fc.constantFrom("base64" as const, "base64url" as const),
        (bytes, variant) => {
          const text = Buffer.from(bytes).toString(variant);
          expect(decodeBase64(text, variant)).toEqual(bytes);
          fc.assert(
            fc.property(
              fc.nat({ max: text.length }),
              fc.string({ minLength: 1, maxLength: 1 }),
              (at, character) => {
                const other = text.slice(0, at) + character + text.slice(at + 1);
                if (other !== text) expect(decodeBase64(other, variant)).not.toEqual(bytes);
              },
            ),
            { numRuns: 20 },
          );
        },
      ),
    );
  });

  it("takes no base64 from what is no text", () => {
    for (const value of [undefined, null, 1, ["AAAA"], { toString: () => "AAAA" }]) {
      expect(decodeBase64(value, "base64")).toBeUndefined();
    }
  });

  it("refuses a byte order mark and everything that is not UTF-8", () => {
    expect(decodeUtf8(Buffer.from("naïve"))).toBe("naïve");
    for (const bytes of [
      [0xef, 0xbb, 0xbf, 0x61],
      [0xff],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf5, 0x80, 0x80, 0x80],
    ]) {
      expect(decodeUtf8(new Uint8Array(bytes))).toBeUndefined();
    }
  });

  it("gives nothing for what is not JSON, and does not fall over", () => {
    expect(decodeJson(Buffer.from('{"a":1}'))).toEqual({ a: 1 });
    for (const text of ["", "{", "[".repeat(1_000_000), "\uFEFF{}", "{} {}"]) {
      expect(decodeJson(Buffer.from(text))).toBeUndefined();
    }
  });

  it("knows lines that end as on Unix or Windows, and no others", () => {
    expect(linesOf("a\nb\r\nc")).toEqual(["a", "b", "c"]);
    expect(linesOf("a\n")).toEqual(["a"]);
    expect(linesOf("a\n\n")).toEqual(["a", ""]);
    expect(linesOf("a\rb")).toBeUndefined();
    expect(decodeBase64Line(Buffer.from("AAAA\n"))).toEqual(new Uint8Array(3));
    expect(decodeBase64Line(Buffer.from("AAAA\nAAAA\n"))).toBeUndefined();
  });
});
