import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const document = readFileSync(here("../../../docs/adapters/ai-sdk.md"), "utf8");
// The blocks that need AI SDK 7; those for 6 are checked with all other documents.
const blocks = [...document.matchAll(/^```typescript\n([\s\S]*?)^```$/gm)].map(([, code]) => code ?? "");

describe("the types of the adapter", () => {
  beforeAll(() => {
    mkdirSync(here("out"), { recursive: true });
    for (const [index, code] of blocks.entries()) writeFileSync(here(`out/block-${index}.ts`), code);
  });
  afterAll(() => rmSync(here("out"), { recursive: true, force: true }));

  it("fit those of AI SDK 5, 6 and 7, and the code in the document", () => {
    expect(blocks).not.toEqual([]);
    try {
      execFileSync(here("../../../node_modules/.bin/tsc"), ["-p", here("tsconfig.json")], {
        encoding: "utf8",
      });
    } catch (error) {
      expect.fail((error as { stdout: string }).stdout);
    }
  }, 120_000);
});
