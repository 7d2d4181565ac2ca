import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { MAX_DEPTH, MAX_NODES, MAX_TEXT_LENGTH } from "../../src/fingerprint/bounds.ts";
import { canonicalFp, canonicalJson } from "../../src/fingerprint/index.ts";
import { refusedAtOnce } from "./refused-at-once.ts";
import { entries, refusalOf, said } from "./support.ts";

const runs = Object.entries(entries);
// One for the walk that copies, one for the walk that writes: for what takes them to the bounds.
const walks = runs.filter(([name]) => name === "canonicalJson" || name === "wireFp");

const arrays = (depth: number): unknown => {
  let value: unknown = [];
  for (let level = 1; level < depth; level++) value = [value];
  return value;
};
const objects = (depth: number): unknown => {
  let value: unknown = {};
  for (let level = 1; level < depth; level++) value = { a: value };
  return value;
};

it("the bounds are the documented ones", () => {
  expect([MAX_DEPTH, MAX_NODES, MAX_TEXT_LENGTH]).toEqual([1_000, 1_000_000, 16_777_216]);
});

describe.each(runs)("%s", (_, run) => {
  it.each([
    ["arrays", arrays],
    ["objects", objects],
  ])("takes a thousand levels of %s and not one more", (_name, nested) => {
    run(nested(MAX_DEPTH));
    run({ beside: 1, inside: nested(MAX_DEPTH - 1) });
    const error = refusalOf(() => run(nested(MAX_DEPTH + 1)));
    expect(error.code).toBe("too_deep");
    expect(error.path).toEqual(new Array(MAX_DEPTH).fill(0));
    expect(error.message.length).toBeLessThan(200);
  });

  it("answers the same however little is left of the native stack", () => {
    const deep = arrays(MAX_DEPTH);
    const expected = JSON.stringify(run(deep));
    const results = new Set<string>();
    // Down to where nothing fits any more; what was answered on the way up is looked at.
    const dive = (): void => {
      try {
        dive();
      } catch {
        return;
      }
      if (results.size < 5 && count++ % 200 === 199) results.add(JSON.stringify(run(deep)));
    };
    let count = 0;
    dive();
    expect(count).toBeGreaterThan(3_000);
    expect([...results]).toEqual([expected]);
  });
});

describe.each(walks)("%s", (_, run) => {
  it("takes a million nodes and not one more", () => {
    run(new Array(MAX_NODES - 1).fill(0));
    expect(said(refusalOf(() => run(new Array(MAX_NODES).fill(0))))).toBe("too_many_nodes");
    const half = new Array(MAX_NODES / 2 - 2).fill(0);
    expect(said(refusalOf(() => run({ a: half, b: [...half, 0, 0] })))).toBe("too_many_nodes at 1");
  });

  it("takes a text of 16 Mi characters and not one more", () => {
    const most = MAX_TEXT_LENGTH - '{"a":""}'.length;
    run({ a: "x".repeat(most) });
    expect(refusalOf(() => run({ a: "x".repeat(most + 1) })).code).toBe("too_long");
    const part = "y".repeat(1_000_000);
    const rest = MAX_TEXT_LENGTH - JSON.stringify([...new Array(16).fill(part), ""]).length;
    run([...new Array(16).fill(part), "z".repeat(rest)]);
    expect(refusalOf(() => run([...new Array(16).fill(part), "z".repeat(rest + 1)])).code).toBe("too_long");
  });

  it("counts what is in the text, and nothing else", () => {
    const long = "x".repeat(MAX_TEXT_LENGTH - '{"a":"","b":[0]}'.length);
    run({ ts: 0, a: long, cursor: "c", b: [0] });
    expect(refusalOf(() => run({ ts: 0, a: `${long}x`, b: [0] })).code).toBe("too_long");
    expect(refusalOf(() => run({ a: long, b: [0, 0] })).code).toBe("too_long");
  });

  it("names the container when it is its own brackets that are too many", () => {
    const filled = "x".repeat(MAX_TEXT_LENGTH - '"",'.length);
    expect(said(refusalOf(() => run([filled])))).toBe("too_long");
    expect(said(refusalOf(() => run([[], [filled]])))).toMatch(/^too_long( at 1(\.0)?)?$/);
    expect(said(refusalOf(() => run({ a: `${filled}x`, b: [1], c: {} })))).toMatch(
      /^too_long( at [012](\.0)?)?$/,
    );
  });

  it("counts the characters of the text, not those of the value", () => {
    expect(refusalOf(() => run("\u0000".repeat(MAX_TEXT_LENGTH / 4))).code).toBe("too_long");
  });

  it("counts members that are stripped", () => {
    const stripped = { ts: 0, TS: 0, Ts: 0, tS: 0 };
    run(new Array(199_000).fill(stripped));
    expect(refusalOf(() => run(new Array(200_001).fill(stripped))).code).toBe("too_many_nodes");
  });
});

it("an object in two places is no cycle, at any depth", () => {
  for (const depth of [1, 31, 32, 33, 34, 40, 500]) {
    const shared = { a: [1] };
    let value: unknown = [shared, [shared], shared];
    for (let level = 1; level < depth; level++) value = [value, shared];
    for (const [, run] of runs) run(value);
  }
});

it("a cycle is found at any depth, when it closes", () => {
  for (const length of [1, 2, 31, 32, 33, 34, 500, 999]) {
    const cycle: unknown[] = [];
    let value: unknown = cycle;
    for (let level = 1; level < length; level++) value = [value];
    cycle.push(value);
    for (const [, run] of runs) {
      const error = refusalOf(() => run(cycle));
      expect(said(error)).toBe(`cycle at ${new Array(length).fill(0).join(".")}`);
    }
  }
});

it("cold and warm code give the same answer to a deep value", () => {
  const before = canonicalFp(objects(MAX_DEPTH));
  for (let call = 0; call < 5_000; call++) canonicalFp({ a: [call] });
  expect(canonicalFp(objects(MAX_DEPTH))).toBe(before);
  expect(canonicalJson(objects(3))).toBe('{"a":{"a":{}}}');
});

describe("what is refused is refused at once", () => {
  describe.each(Object.entries(refusedAtOnce))("%s", (_name, { make, code, milliseconds }) => {
    it.each(milliseconds === 50 ? runs : walks)(`within ${milliseconds} ms by %s`, (_entry, run) => {
      const value = make();
      // The first is the warm-up; the best of three is what the machine can do. Processor time, because other
      // processes have a share of the clock.
      const times = Array.from({ length: milliseconds === 50 ? 4 : 2 }, () => {
        const before = process.cpuUsage();
        expect(refusalOf(() => run(value)).code).toBe(code);
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1_000;
      });
      expect(Math.min(...times.slice(1))).toBeLessThan(milliseconds);
    });
  });

  // A copy of a million nodes is what the bound allows.
  it.each([
    ["canonicalFp and wireFp", ["canonicalFp", "wireFp"], 50],
    ["the functions that copy", ["canonicalJson", "wireJson", "stripVolatile"], 120],
  ])("within bounds of memory by %s", async (_name, names, megabytes) => {
    const script = fileURLToPath(new URL("./memory-of-refusals.ts", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", script, ...names]);
    const growth = JSON.parse(stdout) as number[];
    expect(growth).toHaveLength(Object.keys(refusedAtOnce).length * names.length);
    expect(Math.max(...growth) / 1_000_000).toBeLessThan(megabytes);
  });
});
