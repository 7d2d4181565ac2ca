import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commentClaim } from "../triage-claims.ts";
import { registerOnSdk1, registerOnSdk2 } from "./documented-claims.ts";
import { expectPass, labelsOf, takeSpans } from "./tracing.ts";
import { WAYS } from "./triage-servers.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

describe("the example in the document", () => {
  it("is the files that run here", () => {
    const document = read("../../../docs/adapters/mcp.md");
    const blocks = [...document.matchAll(/^```typescript\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
    expect(blocks).toEqual(["./documented.ts", "./documented-claims.ts"].map(read));
  });

  // The third way has a server that wants its state sealed.
  it.each(WAYS.slice(0, 2))("runs a tool whose claim is in line: $name", async ({ name, connect }) => {
    const register = name === "SDK 1" ? registerOnSdk1 : registerOnSdk2;
    const connection = await connect(
      (server) => register(server as never),
      () => ({ action: "accept", content: { approve: true } }),
    );
    for (const uncertainty of ["low", "high"] as const) {
      const args = { issue_id: "7", text: "seen", claim: commentClaim("7", { uncertainty }) };
      expect(await connection.call("add_comment", args)).toEqual({ text: "commented on 7", isError: false });
    }
    await connection.close();
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
