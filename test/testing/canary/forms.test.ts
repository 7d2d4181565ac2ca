import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formFinder } from "../../../src/testing/canary/forms.ts";

const canary = "kQ3vXz8Lm2NpRt7YwB4cDf6H";
const find = formFinder(canary);
const base64 = (text: string) => Buffer.from(text).toString("base64");
const hex = (text: string) => Buffer.from(text).toString("hex");
const escaped = (text: string, form: (code: string) => string, width: number) =>
  [...text].map((letter) => form(letter.charCodeAt(0).toString(16).padStart(width, "0"))).join("");

describe("a planted text", () => {
  it.each<[what: string, text: string, form: string]>([
    ["as it is", `passenger ${canary}.`, "as it is"],
    ["inside JSON inside JSON", JSON.stringify(JSON.stringify({ name: `"${canary}"` })), "as it is"],
    ["in a URL", `https://example.com/?q=${encodeURIComponent(`é ${canary}`)}`, "as it is"],
    ["with its cases swapped", swapCase(canary), "in another case"],
    ["in capitals", canary.toUpperCase(), "in another case"],
    ["cut at its end", `${canary.slice(0, 12)}…`, "as it is"],
    ["cut at its beginning", canary.slice(12), "as it is"],
    ["with a line break in it", `${canary.slice(0, 9)}\n${canary.slice(9)}`, "as it is"],
    ["backwards", [...canary].reverse().join(""), "backwards"],
    ["in JSON escapes", escaped(canary, (code) => `\\u${code}`, 4), "escaped or percent-encoded"],
    ["in JavaScript escapes", escaped(canary, (code) => `\\x${code}`, 2), "escaped or percent-encoded"],
    ["percent-encoded", escaped(canary, (code) => `%${code}`, 2), "escaped or percent-encoded"],
    [
      "percent-encoded twice",
      encodeURIComponent(escaped(canary, (code) => `%${code}`, 2)),
      "escaped or percent-encoded",
    ],
    ["in character references", escaped(canary, (code) => `&#x${code};`, 2), "escaped or percent-encoded"],
    ["in hexadecimal", hex(canary), "in hexadecimal"],
    ["in capital hexadecimal", hex(canary).toUpperCase(), "in hexadecimal"],
    ["in hexadecimal bytes with colons", hex(canary).replace(/..(?!$)/g, "$&:"), "in hexadecimal"],
    ["in hexadecimal, lower case first", hex(canary.toLowerCase()), "in hexadecimal"],
    ["in base64", base64(canary), "in base64"],
    ["in base64 with line breaks", base64(`x${canary}`).replace(/.{8}/g, "$&\r\n"), "in base64"],
    ["in base64url", Buffer.from(`ÿÿ${canary}`).toString("base64url"), "in base64"],
    ["in base64 that is percent-encoded", encodeURIComponent(base64(`>>>${canary}`)), "in base64"],
  ])("is found %s", (_what, text, form) => {
    expect(find(text)).toBe(form);
  });

  it("is found in base64 and hexadecimal whatever stands around it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (before, after) => {
        expect(find(base64(before + canary + after))).toBe("in base64");
        expect(find(hex(before + canary + after))).toBe("in hexadecimal");
      }),
    );
  });

  it("is not found in what is something else", () => {
    fc.assert(fc.property(fc.string({ maxLength: 2_000 }), (text) => find(text) === undefined));
    fc.assert(fc.property(fc.base64String(), (text) => find(text) === undefined));
    expect(find("c1baebf63d8d7587")).toBeUndefined();
    expect(find(canary.slice(0, 11))).toBeUndefined();
  });

  it("is looked for in bounded time, also in texts made to be slow", () => {
    for (const text of [
      "%25".repeat(2_000_000),
      "\\u00".repeat(500_000),
      "&#".repeat(500_000),
      "A".repeat(5_000_000),
    ]) {
      expect(find(text)).toBeUndefined();
    }
  });
});

function swapCase(text: string): string {
  return [...text]
    .map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()))
    .join("");
}
