import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
// Inside the repository, so that imports resolve as they do for its own files.
const folder = join(root, "out/documented-code");

const filesBelow = (path: string, ending: string) =>
  readdirSync(join(root, path), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(path, file));

/** Every TypeScript block of the documents, of the skills and of the doc comments; the README's first is an example of its own. */
const blocks = [
  ...[...filesBelow("docs", ".md"), ...filesBelow("skills", ".md")].flatMap((file) =>
    blocksOf(file, readFileSync(join(root, file), "utf8")),
  ),
  ...filesBelow("src", ".ts").flatMap((file) =>
    blocksOf(file, readFileSync(join(root, file), "utf8").replaceAll(/^ *\* ?/gm, "")),
  ),
];

function blocksOf(file: string, text: string) {
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((found, index) => ({
    name: `${file.replaceAll(/\W/g, "-")}-${index}.ts`,
    code: `${found[1] ?? ""}\nexport {};\n`,
  }));
}

describe("the code in documents and doc comments", () => {
  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const { name, code } of blocks) writeFileSync(join(folder, name), code);
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: "../../tsconfig.json",
        compilerOptions: {
          rootDir: "../..",
          paths: {
            "#sha256": ["../../src/fingerprint/sha256/node.ts"],
            "agent-reliability-otel-labels": ["../../src/index.ts"],
            "agent-reliability-otel-labels/*": [
              "../../src/*/index.ts",
              "../../src/*.ts",
              "../../src/adapters/*.ts",
            ],
          },
        },
        include: ["*.ts"],
        exclude: [],
      }),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("is there", () => {
    expect(blocks.length).toBeGreaterThan(12);
  });

  it("type-checks, strictly", () => {
    try {
      execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", folder], { encoding: "utf8", stdio: "pipe" });
    } catch (error) {
      expect.fail((error as { stdout: string }).stdout);
    }
  }, 120_000);
});
