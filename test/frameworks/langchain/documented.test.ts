import { readFileSync } from "node:fs";
import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import * as callbackManager from "@langchain/core/callbacks/manager";
import { describe, expect, it } from "vitest";
import { answer } from "./documented.ts";
import { labelsOf, provider, takeSpans, verified } from "./tracing.ts";

new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(callbackManager);

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

describe("the example in the document", () => {
  it("is the file that runs here", () => {
    const [, code] =
      /^```typescript\n([\s\S]*?)^```$/m.exec(read("../../../docs/adapters/langchain.md")) ?? [];
    expect(code).toBe(read("./documented.ts"));
  });

  it("labels its calls", async () => {
    await answer("Fly me to JFK");
    const spans = await takeSpans();
    const sideEffects = spans
      .filter((span) => span.attributes["openinference.span.kind"] === "TOOL")
      .map((span) => [span.name, labelsOf(span)["trustabl.tool.side_effect"]]);
    expect(sideEffects.sort()).toEqual([
      ["book_flight", "irreversible"],
      ["search_flights", "read"],
    ]);
    expect(verified(spans).verdict).toBe("pass");
  });
});
