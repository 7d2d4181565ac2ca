import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import * as callbackManager from "@langchain/core/callbacks/manager";
import { Command, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { createReactAgent, ToolNode } from "@langchain/langgraph/prebuilt";
import { describe, expect, it } from "vitest";
import { labelTools } from "../../../src/adapters/langchain.ts";
import { canonicalFp } from "../../../src/index.ts";
import { question, scripted, search, searchTool, tool, z } from "./agents.ts";
import { expectNoOtherLabels, inRun, labelsOf, provider, takeSpans, verified } from "./tracing.ts";

new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(callbackManager);

async function toolSpans() {
  const spans = await takeSpans();
  const tools = spans.filter((span) => span.attributes["openinference.span.kind"] === "TOOL");
  const roots = spans.filter((span) => span.name === "invoke_agent helper");
  expectNoOtherLabels(spans, [...tools, ...roots]);
  expect(verified(spans).verdict).toBe("pass");
  return tools;
}

describe("LangGraph", () => {
  it("has its prebuilt agent's calls labelled", async () => {
    const agent = createReactAgent({
      llm: scripted([search("c1"), search("c2")]),
      tools: labelTools([searchTool]),
    });
    await inRun(() => agent.invoke(question));
    const tools = await toolSpans();
    expect(tools.map((span) => labelsOf(span)["trustabl.tool.attempt"]).sort()).toEqual([1, 2]);
  });

  it("has the calls of a ToolNode in a graph of one's own labelled", async () => {
    const model = scripted([search("c1")]);
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("model", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
      .addNode("tools", new ToolNode(labelTools([searchTool])))
      .addEdge("__start__", "model")
      .addConditionalEdges("model", ({ messages }) => {
        const last = messages.at(-1) as { tool_calls?: unknown[] } | undefined;
        return (last?.tool_calls?.length ?? 0) > 0 ? "tools" : "__end__";
      })
      .addEdge("tools", "model")
      .compile();
    await inRun(() => graph.invoke(question));
    const [span] = await toolSpans();
    expect(labelsOf(span)["trustabl.tool.output_fp"]).toBe(canonicalFp("#x-c1#"));
  });

  it("takes a hand-over to another node by a thrown or returned command for no failure", async () => {
    const transfer = tool(() => new Command({ goto: "other", graph: Command.PARENT }) as never, {
      name: "search",
      description: "Transfers.",
      schema: z.object({ q: z.string() }),
    });
    const agent = createReactAgent({
      llm: scripted([search("c1")]),
      tools: labelTools([transfer], {
        search: { errorClass: (error) => (error === undefined ? null : "4xx") },
      }),
      name: "first",
    });
    const parent = new StateGraph(MessagesAnnotation)
      .addNode("first", agent, { ends: ["other"] })
      .addNode("other", () => ({ messages: [] }))
      .addEdge("__start__", "first")
      .compile();
    await inRun(() => parent.invoke(question));
    const [span] = await toolSpans();
    expect(labelsOf(span)).not.toHaveProperty(["trustabl.tool.error_class"]);
    expect(labelsOf(span)).toHaveProperty(["trustabl.tool.input_fp"]);
  });
});
