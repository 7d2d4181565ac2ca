import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { opaDocumentText } from "../../../src/policies/formats/opa-document.ts";

describe("the text that OPA hashes", () => {
  it.each([
    ['{"b":1,"a":2}', '{"a":2,"b":1}'],
    ['{"a":1,"a":2}', '{"a":2}'],
    ["[1.0, 1e2, -0, 12345678901234567890, 0.10]", "[1.0,1e2,-0,12345678901234567890,0.10]"],
    ['"<>&\\u003c\\/"', '"<>&</"'],
    ['"\u2028\u2029\\u2028"', '"\\u2028\\u2029\\u2028"'],
    ['"\\u0001\\t\\"\\\\"', '"\\u0001\\t\\"\\\\"'],
    // By UTF-16 units the second would come first.
    ['{"\\ud83d\\ude00":1,"\uffee":2}', '{"\uffee":2,"\u{1f600}":1}'],
    [" [ ] ", "[]"],
    ["{ }", "{}"],
    ["null", "null"],
  ])("of %s is %s", (json, text) => {
    expect(opaDocumentText(json)).toBe(text);
  });

  it.each(["", "{", "[1,]", "01", "{'a':1}", "NaN", "\u00a01", '"a', "[1 2]"])(
    "does not exist for %j",
    (json) => {
      expect(opaDocumentText(json)).toBeUndefined();
    },
  );

  it("does not exist for what is nested without end", () => {
    expect(opaDocumentText("[".repeat(100_000) + "]".repeat(100_000))).toBeUndefined();
    expect(opaDocumentText("[".repeat(400) + "]".repeat(400))).toBe("[".repeat(400) + "]".repeat(400));
  });

  it("means the same value, and is the same for the same value however it is formatted", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 4 }), (value, indent) => {
        const text = opaDocumentText(JSON.stringify(value));
        expect(JSON.parse(text ?? "")).toEqual(JSON.parse(JSON.stringify(value)));
        expect(opaDocumentText(JSON.stringify(value, null, indent))).toBe(text);
      }),
    );
  });
});
