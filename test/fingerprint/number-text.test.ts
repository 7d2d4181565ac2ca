import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/fingerprint/index.ts";
import { refusalOf } from "./support.ts";

/** The double with these bits. */
function double(bits: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${bits}`));
  return view.getFloat64(0);
}

describe("the number samples of RFC 8785, appendix B", () => {
  it.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555554", "333333333.33333325"],
    ["41b3de4355555555", "333333333.3333333"],
    ["41b3de4355555556", "333333333.3333334"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("%s is written %s", (bits, text) => {
    expect(canonicalJson(double(bits))).toBe(text);
    expect(canonicalJson([double(bits)])).toBe(`[${text}]`);
  });

  // The RFC writes these. The contract refuses every integer that a double cannot tell from its neighbour.
  it.each([
    "7fefffffffffffff",
    "ffefffffffffffff",
    "4340000000000000",
    "c340000000000000",
    "4430000000000000",
    "44b52d02c7e14af5",
    "44b52d02c7e14af6",
    "44b52d02c7e14af7",
    "444b1ae4d6e2ef4e",
    "444b1ae4d6e2ef4f",
    "444b1ae4d6e2ef50",
  ])("%s is an integer beyond 2^53 - 1 and refused", (bits) => {
    expect(refusalOf(() => canonicalJson(double(bits))).code).toBe("unsafe_integer");
  });

  it.each(["7fffffffffffffff", "7ff0000000000000", "fff0000000000000"])(
    "%s is not finite and refused",
    (bits) => {
      expect(refusalOf(() => canonicalJson(double(bits))).code).toBe("not_finite");
    },
  );
});

it("the greatest and least integers are written", () => {
  expect(canonicalJson([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])).toBe(
    "[9007199254740991,-9007199254740991]",
  );
});
