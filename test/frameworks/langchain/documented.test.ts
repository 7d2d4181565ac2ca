import { readFileSync } from "node:fs";
import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import * as callbackManager from "@langchain/core/callbacks/manager";
import { describe, expect, it } from "vitest";
import { question } from "./agents.ts";
import { answer } from "./documented.ts";
import { agent } from "./documented-claims.ts";
import { tools } from "./documented-contract.ts";
import { labelsOf, provider, takeSpans, verified } from "./tracing.ts";

new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(callbackManager);

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

describe("the example in the document", () => {
  it("is the files that run here", () => {
    const document = read("../../../docs/adapters/langchain.md");
    const blocks = [...document.matchAll(/^```typescript\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
    expect(blocks).toEqual(
      ["./documented.ts", "./documented-contract.ts", "./documented-claims.ts"].map((file) => read(file)),
    );
  });

  it("holds a tool to its contract", async () => {
    const [addComment] = tools;
    await expect(addComment.invoke({ issue_id: "7" })).rejects.toThrow(/^Refused, nothing was run\. text: /);
    expect(await addComment.invoke({ issue_id: "7", text: "seen" })).toBe("commented on 7");
  });

  it("runs a tool whose claim is in line", async () => {
    const { messages } = await agent.invoke(question, { configurable: { thread_id: "1" } });
    expect(messages.map(({ text }) => text)).toContain("commented on 7");
  });

  it("labels its calls", async () => {
    await takeSpans();
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
