import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const here = new URL(".", import.meta.url);
const tests = readdirSync(here)
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => readFileSync(new URL(name, here), "utf8"));
const document = readFileSync(new URL("../../docs/claims.md", import.meta.url), "utf8");
const checklist = document.split("## Checklist")[1]?.split("\n## ")[0] ?? "";
const named = [...checklist.matchAll(/`([^`]+) › ([^`]+)`/g)].map(([, suite = "", test = ""]) => ({
  suite,
  test,
}));

describe("the checklist of docs/claims.md", () => {
  it("has a test for each of its lines", () => {
    const lines = checklist
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .slice(2);
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) expect(line).toMatch(/`[^`]+ › [^`]+`/);
  });

  it.each(named)("names a test that is there: $suite › $test", ({ suite, test }) => {
    const holds = tests.some((text) => text.includes(`describe("${suite}"`) && text.includes(`it("${test}"`));
    expect(holds).toBe(true);
  });
});
