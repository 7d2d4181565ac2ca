import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const project = fileURLToPath(new URL("../..", import.meta.url));
const folder = fileURLToPath(new URL("./fixtures/parallel", import.meta.url));

/** Runs vitest itself in a process of its own. */
function runVitest(...parameters: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const { VITEST: _, VITEST_WORKER_ID: __, VITEST_POOL_ID: ___, ...env } = process.env;
    const child = spawn(
      process.execPath,
      [
        "node_modules/vitest/vitest.mjs",
        "run",
        "--root",
        folder,
        "--no-color",
        "--reporter=verbose",
        ...parameters,
      ],
      { cwd: project, env },
    );
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
}

const good = ["first.case.ts", "second.case.ts", "concurrent.case.ts"];

describe("recordings in test files that run at the same time", { timeout: 120_000 }, () => {
  it.each([
    ["processes", ["--pool=forks"]],
    ["one thread with one module graph", ["--pool=threads", "--no-isolate", "--max-workers=1"]],
    ["sandboxes", ["--pool=vmThreads"]],
  ])("do not get in each other's way in %s", async (_what, parameters) => {
    const { code, output } = await runVitest(...parameters, ...good);
    expect(output).toContain("11 passed");
    expect(code, output).toBe(0);
  });

  it("say so when one was forgotten, or a matcher was not waited for", async () => {
    const { code, output } = await runVitest(
      "--pool=forks",
      "--no-isolate",
      "--max-workers=1",
      "forgetful.case.ts",
      "unawaited.case.ts",
    );
    expect(output).toContain("Another recording has registered its provider and is still open.");
    expect(output).toContain('expected a span of the tool "never_called"');
    expect(code).not.toBe(0);
  });
});
