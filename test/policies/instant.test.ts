import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseInstant, placeIn } from "../../src/policies/instant.ts";

describe("a point in time", () => {
  it.each([
    ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z"],
    ["2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05.678Z"],
    ["2026-01-02T03:04:05+02:00", "2026-01-02T01:04:05.000Z"],
    ["2024-02-29T00:00:00-00:30", "2024-02-29T00:30:00.000Z"],
  ])("%s is %s", (text, instant) => {
    expect(parseInstant(text)).toBe(Date.parse(instant));
  });

  it.each([
    "",
    "2026-01-02",
    "2026-01-02T03:04:05",
    "2026-01-02 03:04:05Z",
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-01T25:00:00Z",
    "20260102T030405Z",
    "Fri, 02 Jan 2026 03:04:05 GMT",
    "2026-01-02T03:04:05Z\n",
    1767323045000,
    null,
    undefined,
    new Date(0),
  ])("%j is none", (value) => {
    expect(parseInstant(value)).toBeUndefined();
  });

  it("is read back as it was written", () => {
    const years = {
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59Z"),
      noInvalidDate: true,
    };
    fc.assert(
      fc.property(fc.date(years), (date) => {
        expect(parseInstant(date.toISOString())).toBe(date.getTime());
      }),
    );
  });
});

describe("a window", () => {
  it("includes both its ends", () => {
    const window = { from: 10, to: 20 };
    expect([9, 10, 20, 21].map((now) => placeIn(window, now))).toEqual([
      "before",
      "inside",
      "inside",
      "after",
    ]);
  });

  it("is open where it has no end", () => {
    expect(placeIn({ from: undefined, to: undefined }, 0)).toBe("inside");
    expect(placeIn({ from: undefined, to: 1 }, -1e15)).toBe("inside");
  });

  it("is closed to a clock that does not tell the time", () => {
    expect(placeIn({ from: 10, to: undefined }, Number.NaN)).toBe("before");
    expect(placeIn({ from: undefined, to: 10 }, Number.NaN)).toBe("after");
  });
});
