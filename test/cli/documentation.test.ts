import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { REPOSITORY } from "./support/binary.ts";
import { runMain } from "./support/run-main.ts";

const read = (file: string) => readFileSync(join(REPOSITORY, file), "utf8");

describe("docs/command-line.md", () => {
  it("says what --help says", () => {
    const script = "scripts/generate-command-line-doc.ts";
    execFileSync(process.execPath, ["--import", "tsx", script, "--check"], {
      cwd: REPOSITORY,
      stdio: "pipe",
    });
  });

  it.each(COMMANDS.map(({ name }) => name))("has the help of %s", async (name) => {
    const { stdout } = await runMain([...name.split(" "), "--help"]);
    expect(read("docs/command-line.md")).toContain(stdout.trimEnd());
  });
});

/** Lines of shell blocks that run the program, without comments. */
const lines = ["README.md", ...readdirSync(join(REPOSITORY, "docs")).map((file) => `docs/${file}`)]
  .filter((file) => file.endsWith(".md"))
  .flatMap((file) => [...read(file).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block))
  .flatMap((block) => block.split("\n"))
  .map((line) => line.replace(/\s+#.*$/, ""))
  .filter((line) => /(?:^|\s)(?:agent-reliability-)?otel-labels\s/.test(line) && !/^npm /.test(line));

describe("the commands in the documents", () => {
  it("are there", () => {
    expect(lines.length).toBeGreaterThan(12);
  });

  it.each(lines)("start as a user can start them, and name options that there are: %s", (line) => {
    const [, words = ""] = /^npx (?:agent-reliability-)?otel-labels (.*)$/.exec(line) ?? [];
    const command = COMMANDS.find(({ name }) => words.startsWith(`${name} `) || words === name);
    expect(command?.name).toBeDefined();
    const named = [...words.replaceAll(/"[^"]*"/g, "").matchAll(/ --([a-z-]+)/g)].map(([, name]) => name);
    expect(Object.keys(command?.options ?? {})).toEqual(expect.arrayContaining(named));
  });
});
