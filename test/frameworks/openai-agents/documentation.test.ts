import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Here, and not with the other documents, since it imports the SDK.
it("the code in the documentation type-checks, strictly", () => {
  const text = readFileSync(here("../../../docs/adapters/openai-agents.md"), "utf8");
  const blocks = [...text.matchAll(/^```typescript\n([\s\S]*?)^```$/gm)].map(([, code]) => code ?? "");
  expect(blocks.join("")).toMatch(/labelRunner[\s\S]*approveCall/);
  rmSync(here("./out"), { recursive: true, force: true });
  mkdirSync(here("./out"));
  for (const [index, code] of blocks.entries()) writeFileSync(here(`./out/documented-${index}.ts`), code);
  const paths = {
    "#sha256": ["../../../../src/fingerprint/sha256/node.ts"],
    "agent-reliability-otel-labels": ["../../../../src/index.ts"],
    "agent-reliability-otel-labels/*": ["../../../../src/*/index.ts"],
    "agent-reliability-otel-labels/openai-agents": ["../../../../src/adapters/openai-agents.ts"],
    "@opentelemetry/api": ["../node_modules/@opentelemetry/api"],
  };
  const compilerOptions = { rootDir: "../../../..", paths };
  const config = { extends: "../tsconfig.json", compilerOptions, include: ["*.ts"], exclude: [] };
  writeFileSync(here("./out/tsconfig.json"), JSON.stringify(config));
  const tsc = here("../../../node_modules/typescript/bin/tsc");
  try {
    execFileSync(process.execPath, [tsc, "-p", here("./out")], { encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    expect.fail((error as { stdout: string }).stdout);
  } finally {
    rmSync(here("./out"), { recursive: true, force: true });
  }
}, 60_000);
