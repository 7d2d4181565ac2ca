import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { canonicalFp } from "../../src/fingerprint/index.ts";

describe("a fingerprint of something short", () => {
  it("is found by who tries all values, and so the document calls it a pseudonym", () => {
    const fingerprint = canonicalFp({ phone: "555-0142" });
    const guesses = Array.from({ length: 10_000 }, (_, number) => ({
      phone: `555-${String(number).padStart(4, "0")}`,
    }));
    expect(guesses.filter((guess) => canonicalFp(guess) === fingerprint)).toEqual([{ phone: "555-0142" }]);
    const document = readFileSync(new URL("../../docs/fingerprints.md", import.meta.url), "utf8");
    expect(document).toMatch(/pseudonym, not anonymous/);
    expect(document).not.toMatch(/anonymi[sz]ed|cannot be reversed/);
  });
});
