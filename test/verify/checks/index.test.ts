import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CHECKS } from "../../../src/verify/checks/index.ts";
import { CHECK_IDS, checks } from "../../../src/verify/index.ts";

describe("the checks", () => {
  it("are listed in the order of their ids, each once", () => {
    expect(checks.map(({ id }) => id)).toEqual(CHECK_IDS);
  });

  it.each(CHECKS.map((check) => [check.id, check] as const))("%s is complete data", (_id, check) => {
    const sentences = [
      check.why,
      check.pass,
      check.notApplicable,
      check.fix,
      ...Object.values(check.fail),
      ...Object.values(check.unknown),
    ];
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect(Object.keys(check.fail).length).toBeGreaterThan(0);
    expect(check.judgeSpan ?? check.judgeTrace ?? check.judgeRun).toBeTypeOf("function");
  });

  it("are explained, each under its own heading", () => {
    const text = readFileSync(new URL("../../../docs/checks.md", import.meta.url), "utf8");
    for (const { id } of checks) expect(text).toContain(`\n## ${id}\n`);
  });
});
