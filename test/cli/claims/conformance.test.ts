import { describe, expect, it } from "vitest";
import { runMain } from "../support/run-main.ts";

const conformance = (...argv: string[]) => runMain(["claims", "conformance", ...argv]);

describe("claims conformance", () => {
  it("prints the figures of the four configurations", async () => {
    const { code, stdout, stderr } = await conformance();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("136 cases, profile trustabl");
    expect(stdout).toMatch(
      /^full {10} {2}1\.0000 {2}1\.0000 {2}0\.0000 {2}0\.0000 {2}1\.0000 {2}0\.6471 {2}0\.0000$/m,
    );
    expect(stdout.match(/^(?:free_form|schema|payload|full) /gm)).toHaveLength(4);
  });

  it("prints the paper's figures as JSON", async () => {
    const { code, stdout } = await conformance("--profile", "paper", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ profile: "paper", cases: 136, wrong: [] });
  });

  it.each([
    ["another profile", ["--profile", "strict"]],
    ["a file", ["file.json"]],
  ])("takes no %s", async (_, argv) => {
    const { code, stdout, stderr } = await conformance(...argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^\S+: .+\n$/);
  });
});
