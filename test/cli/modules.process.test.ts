/** Commands that load a user's module: the built program, since the module runs in a process of its own. */
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Binary, buildBinary, REPOSITORY } from "./support/binary.ts";
import { folderWith } from "./support/folder.ts";

const AGENT = `
export const options = { allowedTools: ["Bash"], systemPrompt: "sk-live-123" };
export const tools = [{ name: "rerun_job", description: "", inputSchema: {}, handler() {} }];
`;

describe("a user's module", { timeout: 60_000 }, () => {
  let binary: Binary;
  beforeAll(() => {
    binary = buildBinary();
  }, 120_000);
  afterAll(() => binary.remove());

  const run = (argv: readonly string[], files: Record<string, string>) =>
    binary.run(argv, { cwd: folderWith(files) });

  it("is reviewed: findings on standard output, exit code 1 from high on", async () => {
    const { code, stdout, stderr } = await run(["review", "agent.mjs"], { "agent.mjs": AGENT });
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toMatch(/^high {6}CSDK-101 {2}agent options: /);
    expect(stdout).toContain("medium    CSDK-001  tool rerun_job: ");
    expect(stdout).not.toContain("sk-live");
  });

  it("passes with medium and low findings", async () => {
    const { code, stdout } = await run(["review", "tools.mjs"], {
      "tools.mjs": AGENT.replace('"Bash"', '"Read"'),
    });
    expect([code, stdout.includes("CSDK-001")]).toEqual([0, true]);
  });

  it("is reviewed as one JSON or SARIF document, whatever it prints itself", async () => {
    const files = { "agent.mjs": `console.log("I print");${AGENT}` };
    for (const format of ["json", "sarif"]) {
      const { code, stdout, stderr } = await run(["review", "agent.mjs", "--format", format], files);
      expect([code, JSON.parse(stdout).version, stderr]).toEqual([
        1,
        format === "json" ? 1 : "2.1.0",
        "I print\n",
      ]);
    }
  });

  it("is reviewed even if it never ends", async () => {
    const files = { "agent.mjs": `setInterval(() => {}, 1000);${AGENT}` };
    expect((await run(["review", "agent.mjs"], files)).code).toBe(1);
  });

  it("is reviewed even if it talks to the process that it takes for its supervisor", async () => {
    const files = {
      "agent.mjs": `process.send?.("ready"); process.on("message", () => process.exit(3));${AGENT}`,
    };
    expect((await run(["review", "agent.mjs"], files)).code).toBe(1);
  });

  it("is reviewed when it is CommonJS", async () => {
    const files = { "agent.cjs": `module.exports = { options: { allowedTools: ["Bash"] } };` };
    const { code, stdout } = await run(["review", "agent.cjs"], files);
    expect([code, stdout.match(/CSDK-101/g)?.length]).toEqual([1, 1]);
  });

  it("is reviewed when it is TypeScript, with the tsx of its project", async () => {
    const cwd = folderWith({
      "package.json": "{}",
      "agent.ts": `enum Tool { Bash = "Bash" }\nexport default { allowedTools: [Tool.Bash] };`,
    });
    symlinkSync(join(REPOSITORY, "node_modules"), join(cwd, "node_modules"));
    const { code, stderr } = await binary.run(["review", "agent.ts"], { cwd });
    expect([code, stderr]).toEqual([1, ""]);
  });

  it("is reviewed when it is TypeScript, or it is said what to do, where no tsx is installed", async () => {
    const { code, stdout, stderr } = await run(["review", "agent.ts"], { "agent.ts": AGENT });
    if ((process.features as { typescript?: unknown }).typescript) expect([code, stderr]).toEqual([1, ""]);
    else {
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(/^otel-labels: agent\.ts needs a loader .* install tsx in its project .*\n$/);
    }
  });

  it.each([
    [
      "that throws",
      `throw new TypeError("sk-live-123");`,
      "it threw while it was loaded (TypeError); run it by itself to see more",
    ],
    [
      "that throws an error with a name of its own",
      `throw Object.assign(new Error(), { name: "sk-live-123\\u001b[31m" });`,
      "it threw while it was loaded (no error); run it by itself to see more",
    ],
    [
      "that throws no error",
      `throw null;`,
      "it threw while it was loaded (no error); run it by itself to see more",
    ],
    [
      "that is no JavaScript",
      `export const = 1;`,
      "it threw while it was loaded (SyntaxError); run it by itself to see more",
    ],
    [
      "that needs what is not there",
      `import "not-installed-sk-live-123";`,
      "a module that it imports is not there (ERR_MODULE_NOT_FOUND)",
    ],
    ["that ends the process", `process.exit(0);`, "it never finished loading (exit code 0)"],
    ["that waits for nothing", `await new Promise(() => {});`, "it never finished loading (exit code 0)"],
  ])("%s gives one sentence and exit code 2", async (_, code, sentence) => {
    for (const argv of [
      ["review", "agent.mjs"],
      ["contracts", "show", "agent.mjs"],
    ]) {
      const outcome = await run(argv, { "agent.mjs": code });
      expect([outcome.code, outcome.stdout]).toEqual([2, ""]);
      expect(outcome.stderr.trimEnd().split("\n").at(-1)).toBe(
        `otel-labels: agent.mjs cannot be loaded: ${sentence}`,
      );
    }
  });

  it("that is a folder gives one sentence and exit code 2", async () => {
    for (const argv of [["review"], ["contracts", "show"]]) {
      expect(await run([...argv, "agents"], { "agents/index.mjs": AGENT })).toEqual({
        code: 2,
        stdout: "",
        stderr: "otel-labels: agents cannot be read: it is a directory; name the files in it\n",
      });
    }
  });

  it("that is not there gives one sentence and exit code 2", async () => {
    expect(await run(["review", "agent.mjs"], {})).toEqual({
      code: 2,
      stdout: "",
      stderr: "otel-labels: agent.mjs cannot be read: there is no such file\n",
    });
  });

  it("that exports nothing of the kind is no pass", async () => {
    const { code, stderr } = await run(["review", "agent.mjs"], { "agent.mjs": "export const one = 1;" });
    expect([code, stderr]).toEqual([
      2,
      "agent.mjs exports nothing that is recognised as an agent, a tool, options or a registry\n",
    ]);
  });

  it("keeps a trail: what was repaired and comes back is said", async () => {
    const cwd = folderWith({ "agent.mjs": AGENT, "good.mjs": "" });
    const reviewed = async (text: string) => {
      writeFileSync(join(cwd, "agent.mjs"), text);
      return binary.run(["review", "agent.mjs", "--trail", "trail.json"], { cwd });
    };
    await reviewed(AGENT);
    await reviewed(AGENT.replace('"Bash"', '"Bash(git diff:*)"'));
    const trail = JSON.parse(readFileSync(join(cwd, "trail.json"), "utf8"));
    expect(trail.repaired).toEqual([
      { rule: "CSDK-101", fingerprint: expect.any(String), subject: "options" },
    ]);
    const { code, stdout } = await reviewed(AGENT);
    expect(code).toBe(1);
    expect(stdout).toContain("It had been repaired, and is back.");
    expect(stdout).toContain("It was there in the review before: what was done did not clear it.");
  });

  it("shows the registry that it exports", async () => {
    const path = join(binary.path, "../../contracts/define/define-tools.js");
    const input = `{ type: "object", additionalProperties: false, required: ["job_id"], properties: { job_id: { type: "string", maxLength: 12 } } }`;
    const files = {
      "tools.mjs": `import { defineTools } from ${JSON.stringify(path)};
        export const tools = defineTools({ rerun_job: { description: "Runs a job again.", input: ${input}, sideEffect: "write", confirm: true } });`,
    };
    const { code, stdout, stderr } = await run(["contracts", "show", "tools.mjs"], files);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /^rerun_job {2}write {2}risk not said {2}confirmed {2}claim not said {2}\(job_id\*\)\nsha256 [0-9a-f]{64}\n$/,
    );
    expect((await run(["review", "tools.mjs"], files)).code).toBe(0);
  });

  it("that exports no registry, or several, gives one sentence", async () => {
    expect((await run(["contracts", "show", "a.mjs"], { "a.mjs": AGENT })).stderr).toMatch(
      /exports no registry: export what defineTools\(\) gives\n$/,
    );
  });
});
