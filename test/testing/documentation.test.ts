import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { VERIFY_OPTIONS } from "../../src/cli/verify/options.ts";
import * as testing from "../../src/testing/index.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const guide = read("docs/testing.md");

// Its TypeScript blocks are type-checked with those of the other documents.
describe("docs/testing.md", () => {
  it("shows for jest what the example really does", () => {
    const [, block] = /^```typescript\n([\s\S]*?)^```$/m.exec(guide) ?? [];
    expect(block).toBeDefined();
    expect(read("examples/testing/jest/agent.test.ts")).toContain(block);
  });

  it("names options of the command line that there are", () => {
    const commands = [...guide.matchAll(/^npx otel-labels verify .*$/gm)].map(
      ([line]) => line.split("#")[0] ?? "",
    );
    expect(commands.length).toBeGreaterThan(3);
    const names = commands.flatMap((line) => [...line.matchAll(/ --([a-z-]+)/g)].map(([, name]) => name));
    expect(names.filter((name) => !Object.hasOwn(VERIFY_OPTIONS, name ?? ""))).toEqual([]);
  });

  it("has a word on every function of the subpath", () => {
    const functions = Object.entries(testing).filter(
      ([name, value]) => typeof value === "function" && !/Error$/.test(name),
    );
    expect(functions.length).toBeGreaterThan(5);
    expect(functions.map(([name]) => name).filter((name) => !guide.includes(name))).toEqual([]);
  });
});
