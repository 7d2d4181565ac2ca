import fc from "fast-check";
import { expect, it } from "vitest";
import { hexOf, randomId } from "../../src/attributes/hex.ts";

it("hexadecimal text is what Node.js would write", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(hexOf(bytes)).toBe(Buffer.from(bytes).toString("hex"));
    }),
  );
});

it("an id has two characters for each byte, and is another one each time", () => {
  const ids = Array.from({ length: 100 }, () => randomId(8));
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(new Set(ids).size).toBe(ids.length);
});
