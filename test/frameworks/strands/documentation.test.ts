import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { useContextManager } from "../../support/tracing.ts";
import { Application, isToolSpan, labelsOf } from "../application.ts";
import { NEWEST_CONVENTIONS, use } from "./agent.ts";
import { answer } from "./documented.ts";

useContextManager();

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

describe("the example in the document", () => {
  it("is the file that runs here", () => {
    const [, code] = /^```typescript\n([\s\S]*?)^```$/m.exec(read("../../../docs/adapters/strands.md")) ?? [];
    expect(code).toBe(read("./documented.ts"));
  });

  it("labels its calls", async () => {
    process.env.OTEL_SEMCONV_STABILITY_OPT_IN = NEWEST_CONVENTIONS;
    const application = new Application();
    use(application);
    await answer("Fly me to JFK");
    const calls = (await application.spans()).filter(isToolSpan);
    expect(calls.map((span) => [span.name, labelsOf(span).side_effect])).toEqual([
      ["execute_tool search_flights", "read"],
      ["execute_tool book_flight", "irreversible"],
    ]);
    expect(await application.verified()).toMatchObject({ verdict: "pass", examined: { runs: 1 } });
  });
});
