import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "./support/folder.ts";
import { runMain } from "./support/run-main.ts";

const TOOL = {
  name: "rerun_job",
  description: "Runs a job again.",
  input_schema: { type: "object", additionalProperties: false, properties: {} },
};
const folder = (tool: object = {}, files: Record<string, string> = {}) =>
  folderWith({ "tools.json": JSON.stringify([{ ...TOOL, ...tool }]), ...files });

describe("review", () => {
  it("takes definitions that are JSON", async () => {
    expect(await runMain(["review", "tools.json"], { cwd: folder() })).toEqual({
      code: 0,
      stdout: "no findings (1 tool, 0 agents)\n",
      stderr: "",
    });
  });

  it("names the file in SARIF by its path from here", async () => {
    const cwd = folder({ name: "run" });
    const { stdout } = await runMain(["review", join(cwd, "tools.json"), "--format", "sarif"], { cwd });
    const [result] = JSON.parse(stdout).runs[0].results;
    expect(result.locations[0].physicalLocation.artifactLocation.uri).toBe("tools.json");
  });

  it("colours for a terminal only", async () => {
    const cwd = folder({ name: "run" });
    expect((await runMain(["review", "tools.json"], { cwd, terminal: true })).stdout).toContain("\u001b[33m");
    expect((await runMain(["review", "tools.json"], { cwd })).stdout).not.toContain("\u001b");
  });

  it("begins a trail, and goes on with it", async () => {
    const cwd = folder({ description: "" });
    const argv = ["review", "tools.json", "--trail", "trail.json"];
    await runMain(argv, { cwd });
    expect(JSON.parse(readFileSync(join(cwd, "trail.json"), "utf8")).open).toMatchObject([
      { rule: "CONTRACT-003" },
    ]);
    expect((await runMain(argv, { cwd })).stdout).toContain("what was done did not clear it");
  });

  it("refuses a trail that it cannot read, and leaves it alone", async () => {
    const cwd = folder({}, { "trail.json": `{"version":9}` });
    const { code, stdout, stderr } = await runMain(["review", "tools.json", "--trail", "trail.json"], {
      cwd,
    });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe(
      "otel-labels: trail.json cannot be used: the trail is not of version 1, the one that is known here\n",
    );
    expect(readFileSync(join(cwd, "trail.json"), "utf8")).toBe(`{"version":9}`);
  });

  it("writes no trail of a review that was none", async () => {
    const cwd = folderWith({ "none.json": "{}" });
    const { code } = await runMain(["review", "none.json", "--trail", "trail.json"], { cwd });
    expect([code, existsSync(join(cwd, "trail.json"))]).toEqual([2, false]);
  });

  it.each([
    [["review"], "give one file"],
    [["review", "a.json", "b.json"], "give one file"],
    [["review", "tools.json", "--format", "xml"], "--format is one of text, json, sarif"],
    [["review", "broken.json"], "broken.json is not one JSON text"],
  ])("says what is wrong with %j", async (argv, sentence) => {
    const { code, stdout, stderr } = await runMain(argv, { cwd: folder({}, { "broken.json": "{sk-live" }) });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain("sk-live");
  });
});
