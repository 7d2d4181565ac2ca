import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareVersions, versionNumbers } from "../../../src/policies/last-seen/version-order.ts";

const compare = (left: string, right: string): number =>
  Math.sign(compareVersions(versionNumbers(left) ?? [], versionNumbers(right) ?? []));

describe("the order of versions", () => {
  it.each([
    ["1", "2"],
    ["9", "10"],
    ["3.9", "3.10"],
    ["3.1", "3.1.1"],
    ["v1.2.3", "v1.2.4"],
    ["r7", "r12"],
    ["2026-09-30", "2026-11-01"],
  ])("has %s before %s", (earlier, later) => {
    expect(compare(earlier, later)).toBe(-1);
    expect(compare(later, earlier)).toBe(1);
  });

  it.each([
    ["3.1", "3.1.0"],
    ["v3", "3"],
    ["007", "7"],
  ])("has %s and %s as one", (left, right) => {
    expect(compare(left, right)).toBe(0);
  });

  it.each([
    "",
    "main",
    "becfc06",
    "1.0.0-rc.1",
    "1.0.0+build",
    "1..2",
    ".1",
    "1.",
    "-1",
    "1e9",
    "٣",
    `1${"0".repeat(15)}`,
    "v",
    "1.2.3.4.5.6.7.8.9",
  ])("does not know %j", (version) => {
    expect(versionNumbers(version)).toBeUndefined();
  });

  it("is an order: of two different lists one is earlier, and the first number that differs decides", () => {
    const list = fc.array(fc.nat(), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(list, list, list, (a, b, c) => {
        expect(Math.sign(compareVersions(a, b)) + Math.sign(compareVersions(b, a))).toBe(0);
        if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0) {
          expect(compareVersions(a, c)).toBeLessThanOrEqual(0);
        }
      }),
    );
  });
});
