import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { answer } from "./documented.ts";
import { checked, labelsOf, takeSpans } from "./tracing.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

describe("the example in the document", () => {
  it("is the file that runs here", () => {
    const [, code] =
      /^```typescript\n([\s\S]*?)^```$/m.exec(read("../../../docs/adapters/google-adk.md")) ?? [];
    expect(code).toBe(read("./documented.ts"));
  });

  it("labels its calls", async () => {
    await answer("Fly me to JFK");
    const calls = checked(takeSpans(), 2);
    expect(calls.map((span) => [span.name, labelsOf(span)["trustabl.tool.side_effect"]])).toEqual([
      ["execute_tool search_flights", "read"],
      ["execute_tool book_flight", "irreversible"],
    ]);
  });
});
