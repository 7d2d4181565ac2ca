import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  EMPTY_TRAIL,
  readTrail,
  recordRepairs,
  reviewDefinitions,
  TrailError,
} from "../../../src/contracts/review/index.ts";
import { claudeTool, contract, plainTool } from "./support.ts";

const bad = claudeTool({ description: "" });
const good = claudeTool();

/** One review after the other, with one trail. */
function reviewed(...definitions: unknown[]) {
  let trail = EMPTY_TRAIL;
  const statuses: string[][] = [];
  for (const definition of definitions) {
    const review = reviewDefinitions(definition, { trail });
    statuses.push(review.findings.map(({ rule, status }) => `${rule} ${status}`));
    trail = readTrail(JSON.stringify(recordRepairs(trail, review)));
  }
  return { statuses, trail };
}

describe("the trail", () => {
  it("knows a finding that comes back after its repair", () => {
    expect(reviewed(bad, good, bad, bad).statuses).toEqual([
      ["CSDK-001 new"],
      [],
      ["CSDK-001 returned"],
      ["CSDK-001 returned"],
    ]);
  });

  it("knows it in other words too: the fingerprint is of the place", () => {
    expect(reviewed(bad, good, claudeTool({ description: "  " })).statuses.at(-1)).toEqual([
      "CSDK-001 returned",
    ]);
  });

  it("knows a finding that a repair did not clear", () => {
    expect(reviewed(bad, bad).statuses).toEqual([["CSDK-001 new"], ["CSDK-001 open"]]);
  });

  it("keeps rule and fingerprint of what was repaired, and no content", () => {
    const { trail } = reviewed(bad, good);
    expect(trail).toEqual({
      version: 1,
      open: [],
      repaired: [
        { rule: "CSDK-001", fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/), subject: "rerun_job" },
      ],
    });
  });

  it("does not take for repaired what was not looked at", () => {
    const { trail, statuses } = reviewed(bad, claudeTool({ name: "open_issue" }), [], bad);
    expect(trail.repaired).toEqual([]);
    expect(statuses.at(-1)).toEqual(["CSDK-001 open"]);
  });

  it("keeps two sources apart", () => {
    const first = reviewDefinitions(bad, { source: "a.ts" });
    const trail = recordRepairs(EMPTY_TRAIL, first);
    const other = reviewDefinitions(good, { source: "b.ts", trail });
    expect(recordRepairs(trail, other)).toEqual(trail);
    expect(recordRepairs(trail, reviewDefinitions(good, { source: "a.ts", trail })).repaired).toHaveLength(1);
  });

  it("changes nothing that it is given", () => {
    const trail = recordRepairs(EMPTY_TRAIL, reviewDefinitions(bad));
    const before = structuredClone(trail);
    recordRepairs(trail, reviewDefinitions(good, { trail }));
    expect([trail, EMPTY_TRAIL]).toEqual([before, { version: 1, open: [], repaired: [] }]);
  });

  it("obeys: after any reviews, open is what the last review of each definition found, and no rule is in it twice", () => {
    const names = ["rerun_job", "open_issue"];
    const step = fc.record({
      name: fc.constantFrom(...names),
      described: fc.boolean(),
      confirm: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let trail = EMPTY_TRAIL;
        const latest = new Map<string, number>();
        for (const { name, described, confirm } of steps) {
          const definition = { [name]: contract({ description: described ? "Says it." : "", confirm }) };
          const review = reviewDefinitions(definition, { trail });
          trail = recordRepairs(trail, review);
          latest.set(name, review.findings.length);
          expect(recordRepairs(trail, review)).toEqual(trail);
        }
        expect(trail.open).toHaveLength([...latest.values()].reduce((sum, count) => sum + count, 0));
        expect(new Set(trail.repaired.map((one) => one.rule + one.fingerprint)).size).toBe(
          trail.repaired.length,
        );
      }),
    );
  });
});

describe("readTrail", () => {
  const entry = { rule: "CSDK-001", fingerprint: "0123456789abcdef", subject: "a" };

  it("takes an empty file for the beginning", () => {
    expect(readTrail(" \n")).toEqual(EMPTY_TRAIL);
  });

  it.each([
    ["not_json", "{"],
    ["not_json", "[]"],
    ["not_json", "null"],
    ["unknown_version", "{}"],
    ["unknown_version", JSON.stringify({ version: 2, open: [], repaired: [] })],
    ["invalid", JSON.stringify({ version: 1, open: [] })],
    ["invalid", JSON.stringify({ version: 1, open: [null], repaired: [] })],
    ["invalid", JSON.stringify({ version: 1, open: [{ ...entry, rule: "../x" }], repaired: [] })],
    ["invalid", JSON.stringify({ version: 1, open: [{ ...entry, fingerprint: 7 }], repaired: [] })],
    ["too_large", JSON.stringify({ version: 1, open: Array(10_001).fill(entry), repaired: [] })],
    ["too_large", " ".repeat(5_000_000)],
  ])("refuses with %s: %.60s", (code, text) => {
    let error: unknown;
    try {
      readTrail(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(TrailError);
    expect((error as TrailError).code).toBe(code);
    expect((error as TrailError).message).not.toMatch(/\.\.\/x|\{/);
  });

  it("drops what is no part of an entry, and makes subjects fit to be shown", () => {
    const text = JSON.stringify({
      version: 1,
      open: [{ ...entry, subject: "a\u001b", note: "x" }],
      repaired: [],
      more: 1,
    });
    expect(readTrail(text)).toEqual({ version: 1, open: [{ ...entry, subject: "a?" }], repaired: [] });
  });

  it("gives a trail that reviews take, whatever definition comes next", () => {
    const trail = readTrail(JSON.stringify({ version: 1, open: [], repaired: [entry] }));
    expect(reviewDefinitions(plainTool(), { trail }).findings).toEqual([]);
  });
});
