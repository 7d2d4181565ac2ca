import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { verify } from "../../../src/verify/index.ts";
import { readAll } from "./agent.ts";
import { answer, relay } from "./documented.ts";
import { ask, trackerRelay } from "./documented-contracts.ts";
import { exporter } from "./documented-exporter.ts";
import { query } from "./documented-openinference.ts";
import { collector, model, options, removeAll } from "./documented-options.ts";
import { type ModelRequest, scripted, toldIn } from "./fake-model.ts";
import { lookup } from "./scenarios.ts";
import { labelsOf, toolSpans } from "./tracing.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

afterAll(async () => {
  await relay.close();
  await trackerRelay.close();
  removeAll();
});

describe("the examples in the document", () => {
  it("are the files that run here", () => {
    const blocks = [
      ...read("../../../docs/adapters/claude-agent-sdk.md").matchAll(/^```typescript\n([\s\S]*?)^```$/gm),
    ];
    expect(blocks.map(([, code]) => code)).toEqual([
      read("./documented.ts"),
      read("./documented-openinference.ts"),
      read("./documented-contracts.ts"),
    ]);
  });

  it("label native spans", async () => {
    expect(await answer(scripted([[lookup("a")]]))).toBe("done");
    await relay.forceFlush();
    expect(labelsOf(toolSpans(collector.spans)[0])).toMatchObject({ "trustabl.tool.side_effect": "read" });
    expect(verify(collector.spans).verdict).toBe("pass");
  });

  it("label OpenInference's spans", async () => {
    await readAll(query({ prompt: scripted([[lookup("a")]]), options }));
    const [tool] = exporter.getFinishedSpans().filter(({ name }) => name === "mcp__demo__lookup");
    expect(tool?.attributes["trustabl.tool.side_effect"]).toBe("read");
  });

  it("hold calls to their contracts", async () => {
    collector.clear();
    const open = (input: Record<string, unknown>) => ({ tool: "mcp__tracker__open_issue", input });
    await readAll(
      ask(scripted([[open({ title: "Red", severity: "p4" })], [open({ title: "Red", severity: "p1" })]])),
    );
    expect(toldIn(model.requests.at(-1) as ModelRequest)).toEqual([
      "Refused, nothing was run. severity: expected one of p1, p2, p3",
      'opened "Red" as p1',
    ]);
    await trackerRelay.forceFlush();
    expect(toolSpans(collector.spans).map((span) => labelsOf(span)["trustabl.tool.error_class"])).toEqual([
      "schema",
      undefined,
    ]);
  });
});
