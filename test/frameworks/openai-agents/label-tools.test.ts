/** What `labelTools` must leave as it is, on the newest version. */
import * as agents from "@openai/agents";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { labelTool, labelTools } from "../../../src/adapters/openai-agents.ts";
import { canonicalFp } from "../../../src/index.ts";
import { openInference } from "./open-inference.ts";
import { calls, says, scriptedModel } from "./scripted-model.ts";
import { asRun, exported, labelsOf, traceAgents } from "./traced.ts";

const parameters = z.object({ q: z.string().trim() });
const newTool = (more: object = {}) =>
  agents.tool({ name: "search", description: "Searches", parameters, execute: async () => "found", ...more });

async function run(tools: readonly unknown[]) {
  const agent = new agents.Agent({
    name: "Helper",
    instructions: "help",
    model: scriptedModel(agents, [calls("search", { q: " x" }, "1")], [says("done")]) as never,
    tools: tools as never,
  });
  await new agents.Runner({ workflowName: "workflow" }).run(agent, "q");
}

beforeEach(() => traceAgents(agents, openInference));

describe("labelTools of OpenAI Agents", () => {
  it("gives copies with everything that the SDK knows of a tool, and leaves the given ones alone", async () => {
    const tool = newTool();
    const [labelled] = labelTools([tool]);
    expect(labelled).toEqual(tool);
    // The SDK finds a tool's parser by it.
    expect(labelled.invoke).toBe(tool.invoke);
    await asRun(() => run([tool]));
    expect((await exported({ passes: false })).tools().map(labelsOf)).toEqual([{}]);
  });

  it("shows an approval the arguments as the schema made them", async () => {
    const seen: unknown[] = [];
    const needsApproval = async (_context: unknown, args: unknown) => {
      seen.push(args);
      return false;
    };
    await asRun(() => run([newTool({ needsApproval })]));
    await asRun(() => run(labelTools([newTool({ needsApproval })])));
    expect(seen).toEqual([{ q: "x" }, { q: "x" }]);
    const [, span] = (await exported({ passes: false })).tools();
    expect(labelsOf(span as never)["trustabl.tool.input_fp"]).toBe(canonicalFp({ q: " x" }));
  });

  it("sees around `execute` what the function gets: a default left out is the same call as one written", async () => {
    const weather = agents.tool({
      name: "search",
      description: "Tells the weather",
      parameters: z.object({ q: z.string().trim(), unit: z.enum(["C", "F"]).default("C") }),
      execute: labelTool(
        { name: "search" },
        async ({ q, unit }: { q: string; unit: string }) => `${q} ${unit}`,
      ),
    });
    const agent = new agents.Agent({
      name: "Helper",
      instructions: "help",
      model: scriptedModel(
        agents,
        [calls("search", { q: "Rome" }, "1")],
        [calls("search", { q: " Rome", unit: "C" }, "2")],
        [says("done")],
      ) as never,
      tools: [weather],
    });
    await asRun(() => new agents.Runner().run(agent, "q"));
    const labels = (await exported({ passes: false })).tools().map(labelsOf);
    const celsius = canonicalFp({ q: "Rome", unit: "C" });
    expect(labels).toMatchObject([
      { "trustabl.tool.input_fp": celsius, "trustabl.tool.attempt": 1 },
      { "trustabl.tool.input_fp": celsius, "trustabl.tool.attempt": 2 },
    ]);
  });

  it("knows the class of an error that the SDK does not turn into a text", async () => {
    const failing = newTool({
      errorFunction: null,
      execute: async () => {
        throw Object.assign(new Error("no"), { status: 404 });
      },
    });
    await expect(asRun(() => run(labelTools([failing])))).rejects.toThrow();
    const [span] = (await exported()).tools();
    expect(labelsOf(span as never)["trustabl.tool.error_class"]).toBe("4xx");
  });

  it("labels what the tool gives, not the text that is made of it", async () => {
    const tools = labelTools([newTool({ execute: async () => [] })], {
      search: { isEmpty: (found) => (found as unknown[]).length === 0 },
    });
    await asRun(() => run(tools));
    const [span] = (await exported({ passes: false })).tools();
    expect(labelsOf(span as never)).toMatchObject({
      "trustabl.tool.output_fp": canonicalFp([]),
      "trustabl.tool.error_class": "empty",
    });
  });

  it("keeps the labels when the SDK copies the tool into a namespace", async () => {
    const [namespaced] = agents.toolNamespace({
      name: "web",
      description: "The web",
      tools: labelTools([newTool()]),
    });
    const model = scriptedModel(
      agents,
      [{ ...calls("search", { q: " x" }, "1"), namespace: "web" } as never],
      [says("done")],
    );
    const agent = new agents.Agent({
      name: "Helper",
      instructions: "help",
      model: model as never,
      tools: [namespaced as never],
    });
    await asRun(() => new agents.Runner().run(agent, "q"));
    const [span] = (await exported()).tools();
    expect(span?.name).toBe("web.search");
    expect(labelsOf(span as never)["trustabl.tool.output_fp"]).toBe(canonicalFp("found"));
  });

  it("gives back agents as tools and the provider's tools as they are", () => {
    const agent = new agents.Agent({ name: "Inner", instructions: "help" });
    const given = [agent.asTool({ toolName: "ask", toolDescription: "Asks" }), agents.webSearchTool(), null];
    const back = labelTools(given);
    for (const [index, tool] of given.entries()) expect(back[index]).toBe(tool);
    expect(() => labelTools(given, { ask: {} })).toThrow(/"ask".*labelRunner/);
  });
});
