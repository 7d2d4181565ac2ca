import { describe, expect, it } from "vitest";
import { folderWith } from "./support/folder.ts";
import { runMain } from "./support/run-main.ts";

const contract = (changes: object = {}, severity: readonly string[] = ["p1", "p2"]) => ({
  description: "Opens an issue.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["severity"],
    properties: { severity: { type: "string", enum: severity }, note: { type: "string", maxLength: 80 } },
  },
  sideEffect: "write",
  confirm: true,
  ...changes,
});
const folder = () =>
  folderWith({
    "before.json": JSON.stringify({ open_issue: contract() }),
    "loose.json": JSON.stringify({ open_issue: contract({ confirm: false }, ["p1", "p2", "p3"]) }),
    "tight.json": JSON.stringify({ open_issue: contract({}, ["p1"]) }),
    "vague.json": JSON.stringify({ run: contract() }),
    "list.json": "[]",
  });
const run = (...argv: string[]) => runMain(["contracts", ...argv], { cwd: folder() });

describe("contracts show", () => {
  it("prints a line for each tool, its required fields with a star, and the digest", async () => {
    const { code, stdout } = await run("show", "before.json");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^open_issue {2}write {2}risk not said {2}confirmed {2}claim not said {2}\(severity\*, note\)\nsha256 [0-9a-f]{64}\n$/,
    );
  });

  it("prints the whole registry as JSON, which is a registry again", async () => {
    const { stdout } = await run("show", "before.json", "--json");
    const { tools, digest } = JSON.parse(stdout);
    const again = await runMain(["contracts", "show", "again.json", "--json"], {
      cwd: folderWith({ "again.json": JSON.stringify(tools) }),
    });
    expect(JSON.parse(again.stdout).digest).toBe(digest);
  });
});

describe("contracts diff", () => {
  it("fails on a loosening, and shows the line to look at", async () => {
    const { code, stdout } = await run("diff", "before.json", "loose.json");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^loosening {3}open_issue\/confirm {2}.*: true -> false$/m);
    expect(stdout).toMatch(/^loosening {3}open_issue\/input\/properties\/severity\/enum {2}/m);
  });

  it("passes on a tightening, and on no change", async () => {
    const tighter = await run("diff", "before.json", "tight.json");
    expect([tighter.code, tighter.stdout.startsWith("tightening")]).toEqual([0, true]);
    expect(await run("diff", "before.json", "before.json")).toEqual({
      code: 0,
      stdout: "no changes\n",
      stderr: "",
    });
  });

  it("prints the changes as JSON", async () => {
    const { code, stdout } = await run("diff", "before.json", "loose.json", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout).changes).toContainEqual(
      expect.objectContaining({
        tool: "open_issue",
        place: "/confirm",
        kind: "loosening",
        before: true,
        after: false,
      }),
    );
  });
});

describe("contracts schema", () => {
  it("prints the schemas in the dialect of their reader", async () => {
    const { code, stdout } = await run("schema", "before.json", "--target", "openai");
    expect(code).toBe(0);
    expect(JSON.parse(stdout).open_issue.required).toEqual(["severity", "note"]);
    expect(JSON.parse((await run("schema", "before.json")).stdout).open_issue.required).toEqual(["severity"]);
  });
});

describe("a registry that cannot be used", () => {
  it.each([
    [["show"], "give one registry: contracts show FILE"],
    [["diff", "before.json"], "give two registries: contracts diff BEFORE AFTER"],
    [
      ["schema", "before.json", "--target", "xml"],
      "--target is one of json-schema, openai, anthropic, mcp, ai-sdk",
    ],
    [["show", "missing.json"], "missing.json cannot be read: there is no such file"],
    [["show", "vague.json"], "vague.json holds no usable registry (name, run): the name is vague"],
    [["show", "list.json"], "list.json holds no usable registry (value): a registry is an object"],
    [["diff", "before.json", "vague.json"], "vague.json holds no usable registry"],
  ])("gives one sentence and exit code 2: %j", async (argv, sentence) => {
    const { code, stdout, stderr } = await run(...argv);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`otel-labels: ${sentence}`);
    expect(stderr.trimEnd()).not.toContain("\n");
  });
});
