import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Graph, McpClient, Swarm } from "@strands-agents/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { labelTools } from "../../../src/adapters/strands.ts";
import { canonicalFp } from "../../../src/index.ts";
import { ToolSpanTracker } from "../../../src/tracker/index.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import { useContextManager } from "../../support/tracing.ts";
import { Application, byStep, delegatedOf, isToolSpan, labelsOf } from "../application.ts";
import { scenario } from "../scenario.ts";
import { type Any, agentOf, NEWEST_CONVENTIONS, ROW, search, toolOf, use } from "./agent.ts";
import { call } from "./scripted-model.ts";

useContextManager();

let application: Application;
beforeEach(() => {
  process.env.OTEL_SEMCONV_STABILITY_OPT_IN = NEWEST_CONVENTIONS;
  application = new Application([new ToolSpanTracker()]);
  use(application);
});

const tools = labelTools([search]);
// The inner model numbers its calls as the outer one does.
const researcher = () =>
  agentOf([[call("call_1", "search")], "found it", [call("call_1", "search")], "found it"], {
    name: "researcher",
    description: "Researches.",
    tools,
  });
const script = (tool: string, input: object) => [
  [call("call_1", tool, input)],
  [call("call_2", "search")],
  [call("call_3", tool, input)],
];

const stepsOf = async () =>
  byStep(await application.spans()).map((span) => {
    const { step_index, attempt } = labelsOf(span);
    return [span.attributes["gen_ai.tool.name"], step_index, attempt];
  });

/** Both delegated agents, each directly below its call and with an id of its own. */
const expectTwoMarked = async () => {
  const spans = await application.spans();
  const toolIds = new Set(spans.filter(isToolSpan).map(({ spanId }) => spanId));
  const delegated = delegatedOf(spans);
  expect(delegated.map(({ parentSpanId }) => toolIds.has(parentSpanId ?? ""))).toEqual([true, true]);
  expect(new Set(delegated.map(({ attributes }) => attributes["trustabl.handoff_id"])).size).toBe(2);
};

describe("an agent of Strands that calls another", () => {
  it.each([
    ["as a tool", () => researcher().asTool()],
    ["as it is in the list of tools", () => researcher()],
  ])(
    "has labels on the call, the other agent and its calls: %s",
    scenario(ROW, "delegation"),
    async (_how, given) => {
      const agent = agentOf(script("researcher", { input: "what?" }), {
        tools: labelTools([given(), search] as Any[], { researcher: { sideEffect: "read" } }),
      });
      await application.request(() => agent.invoke("go"));
      expect(await stepsOf()).toEqual([
        ["researcher", 0, 1],
        ["search", 1, 1],
        ["search", 2, 2],
        ["researcher", 3, 2],
        ["search", 4, 3],
      ]);
      const [first] = byStep(await application.spans()).map(labelsOf);
      expect(first).toMatchObject({
        side_effect: "read",
        input_fp: canonicalFp({ input: "what?" }),
        output_fp: canonicalFp("found it"),
      });
      await expectTwoMarked();
      expect(await application.findings()).toEqual([]);
    },
  );

  it("hands over for good as before, and both are labelled", async () => {
    const given = researcher().asTool({ delegate: true });
    const agent = agentOf([[call("call_1", "researcher", { input: "what?" })], "never"], {
      tools: labelTools([given]),
    });
    const result = await application.request(() => agent.invoke("go"));
    expect(result.toString()).toBe("found it");
    expect(await stepsOf()).toEqual([
      ["researcher", 0, 1],
      ["search", 1, 1],
    ]);
    expect(delegatedOf(await application.spans())).toHaveLength(1);
    expect(await application.findings()).toEqual([]);
  });

  it("has a tool of its own around the other agent marked without a word", async () => {
    const ask = toolOf("ask", async ({ q }) => (await researcher().invoke(q)).toString());
    const agent = agentOf(script("ask", { q: "what?" }), { tools: labelTools([ask, search]) });
    await application.request(() => agent.invoke("go"));
    await expectTwoMarked();
    expect(await stepsOf()).toHaveLength(5);
    expect(await application.findings()).toEqual([]);
  });
});

describe("agents in a graph of Strands", () => {
  it("are labelled in one run, and are nobody's delegates", async () => {
    const node = (id: string) => agentOf([[call("call_1", "search")]], { id, name: id, tools });
    const graph = new Graph({
      nodes: [node("first"), node("second")],
      edges: [["first", "second"]],
      maxSteps: 5,
    });
    await application.request(() => graph.invoke("go"));
    expect(await stepsOf()).toEqual([
      ["search", 0, 1],
      ["search", 1, 2],
    ]);
    expect(delegatedOf(await application.spans())).toEqual([]);
    expect(await application.findings()).toEqual([]);
  });
});

describe("agents in a swarm of Strands", () => {
  it("are labelled in one run, and are nobody's delegates", async () => {
    const handoff = [call("call_2", "strands_structured_output", { agentId: "second", message: "go on" })];
    const first = agentOf([[call("call_1", "search")], handoff], { id: "first", name: "first", tools });
    const finish = [call("call_2", "strands_structured_output", { message: "done" })];
    const second = agentOf([[call("call_1", "search")], finish], { id: "second", name: "second", tools });
    const swarm = new Swarm({ nodes: [first, second], start: "first", maxSteps: 5 });
    await application.request(() => swarm.invoke("go"));
    expect((await stepsOf()).filter(([name]) => name === "search")).toEqual([
      ["search", 0, 1],
      ["search", 1, 2],
    ]);
    expect(delegatedOf(await application.spans())).toEqual([]);
    // Strands' own tool, by which a swarm passes on control, ran no function of the application.
    const own = (await application.spans()).filter(({ name }) => name.endsWith(" strands_structured_output"));
    expect(own.map(labelsOf)).toEqual([{}, {}]);
    expect(await application.findings()).toEqual([]);
  });
});

describe("tools of an MCP server in Strands", () => {
  const connect = async () => {
    const server = new McpServer({ name: "weather", version: "1" });
    server.registerTool("look", { inputSchema: { q: z.string() } }, async ({ q }) => ({
      content: [{ type: "text", text: q }],
      isError: q === "bad",
    }));
    const [here, there] = InMemoryTransport.createLinkedPair();
    await server.connect(there);
    return { client: new McpClient({ transport: here as Any }), close: () => server.close() };
  };
  const lookTwice = [[call("call_1", "look"), call("call_2", "look", { q: "bad" })]];

  it("are labelled as listTools() gives them", async () => {
    const { client, close } = await connect();
    const listed = labelTools(await client.listTools(), {
      look: { errorClass: (_error, result) => (result === "bad" ? "4xx" : undefined) },
    });
    const agent = agentOf(lookTwice, { tools: listed });
    await application.request(() => agent.invoke("go"));
    expect(await application.labelsByCall()).toMatchObject({
      call_1: { attempt: 1, output_fp: canonicalFp("same"), input_fp: canonicalFp({ q: "same" }) },
      call_2: { attempt: 1, step_index: 1, error_class: "4xx" },
    });
    expect(await application.findings()).toEqual([]);
    await close();
  });

  it("are not labelled behind the client, and that is told", async () => {
    const { client, close } = await connect();
    const messages = hearDiagnostics();
    const given = labelTools([client]);
    expect(given).toEqual([client]);
    expect(ownMessages(messages)).toEqual([expect.stringContaining("listTools()")]);
    const agent = agentOf(lookTwice, { tools: given });
    await application.request(() => agent.invoke("go"));
    expect(await application.labelsByCall()).toEqual({ call_1: {}, call_2: {} });
    await close();
  });
});
