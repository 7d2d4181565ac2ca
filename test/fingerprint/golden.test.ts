import { describe, expect, it } from "vitest";
import {
  CanonicalizationError,
  canonicalFp,
  canonicalJson,
  prepareVolatileKeys,
  wireFp,
  wireJson,
} from "../../src/fingerprint/index.ts";
import golden from "../fixtures/canonical.json" with { type: "json" };

const volatile = prepareVolatileKeys();

describe("values that every language of the contract agrees on", () => {
  for (const [group, cases] of Object.entries(golden.accepted)) {
    describe(group, () => {
      // The text first: it says which character is wrong, a hash only that something is.
      it.each(cases)("$name", ({ input, text, fingerprint }) => {
        const value: unknown = JSON.parse(input);
        expect(canonicalJson(value)).toBe(text);
        expect(canonicalFp(value)).toBe(fingerprint);
        expect(wireJson(value, volatile)).toBe(text);
        expect(wireFp(value, volatile)).toBe(fingerprint);
      });
    });
  }

  it("are all there", () => {
    expect(Object.values(golden.accepted).flat()).toHaveLength(312);
    expect(Object.values(golden.refused).flat()).toHaveLength(36);
  });
});

describe("values that every language refuses", () => {
  const codes = { numbers: ["unsafe_integer", "not_finite"], texts: ["unpaired_surrogate"] };
  for (const [group, cases] of Object.entries(golden.refused)) {
    it.each(cases)(`${group}: $name`, ({ input }) => {
      const value: unknown = JSON.parse(input);
      for (const run of [
        () => canonicalJson(value),
        () => canonicalFp(value),
        () => wireJson(value, volatile),
        () => wireFp(value, volatile),
      ]) {
        const error = thrownBy(run);
        expect(error).toBeInstanceOf(CanonicalizationError);
        expect(codes[group as keyof typeof codes]).toContain((error as CanonicalizationError).code);
      }
    });
  }
});

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("well-known fingerprints", () => {
  it.each([
    [{ from: "SFO", to: "JFK", date: "2026-10-01" }, "c1baebf63d8d7587"],
    [{}, "44136fa355b3678a"],
    [[], "4f53cda18c2baa0c"],
    [null, "74234e98afe7498f"],
    [undefined, "74234e98afe7498f"],
  ])("%j is %s", (value, fingerprint) => {
    expect(canonicalFp(value)).toBe(fingerprint);
    expect(wireFp(value, volatile)).toBe(fingerprint);
  });
});
