import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { unsure } from "../triage-desk.ts";
import { answer } from "./documented-claims.ts";
import { asked } from "./documented-desk.ts";

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

it("the document's example of a mediated tool is the file that runs here", () => {
  const blocks = read("../../../docs/adapters/mastra.md").matchAll(/^```typescript\n([\s\S]*?)^```$/gm);
  expect([...blocks].map(([, code]) => code)).toContain(read("./documented-claims.ts"));
});

it("asks a person and runs what they have agreed to", async () => {
  expect(await answer("Why is the build red?")).toBe("commented");
  expect(asked).toEqual([["add_comment", unsure]]);
});
