import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectPass, labelsOf, takeSpans } from "./tracing.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

describe("the example in the document", () => {
  it("is the file that runs here", () => {
    const [, code] = /^```typescript\n([\s\S]*?)^```$/m.exec(read("../../../docs/adapters/mcp.md")) ?? [];
    expect(code).toBe(read("./documented.ts"));
  });

  it("labels its calls", async () => {
    // After the provider is registered, which the instrumentation takes.
    const { book } = await import("./documented.ts");
    expect(await book("JFK")).toMatchObject({ content: [{ text: "LHR-JFK" }] });
    const spans = takeSpans();
    const sideEffects = spans
      .filter((span) => span.attributes["traceloop.span.kind"] === "tool")
      .map((span) => [span.name, labelsOf(span)["trustabl.tool.side_effect"]]);
    expect(sideEffects).toEqual([
      ["search_flights.tool", "read"],
      ["book_flight.tool", "irreversible"],
    ]);
    expectPass(spans);
  });
});
