import { jsonSchema, ToolLoopAgent, tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ContractRegistry } from "../../../src/contracts/contract.ts";
import { defineTools } from "../../../src/contracts/define/define-tools.ts";
import { reviewDefinitions } from "../../../src/contracts/review/index.ts";
import { claudeTool, contract, openaiAgent, openaiTool, plainTool, rulesFor } from "./support.ts";

const examined = (definition: unknown) =>
  reviewDefinitions(definition).examined.map(
    ({ framework, scope, subject }) => `${framework} ${scope} ${subject}`,
  );

describe("what is recognised", () => {
  it("OpenAI Agents: an agent, its tools, and the agents behind its handoffs", () => {
    const billing = openaiAgent({ name: "billing", tools: [openaiTool({ name: "refund_order" })] });
    const handoff = {
      toolName: "transfer",
      agentName: "billing",
      agent: billing,
      onInvokeHandoff: async () => billing,
    };
    const circular = openaiAgent({ name: "triage", tools: [openaiTool()], handoffs: [handoff, billing] });
    billing.handoffs.push(circular as never);
    expect(examined(circular)).toEqual([
      "openai-agents agent triage",
      "openai-agents tool rerun_job",
      "openai-agents agent billing",
      "openai-agents tool refund_order",
    ]);
  });

  it("Claude Agent SDK: options, subagents, in-process servers and their tools", () => {
    const server = {
      type: "sdk",
      name: "ci",
      instance: { _registeredTools: { rerun_job: { ...claudeTool(), name: undefined } } },
    };
    const agents = { helper: { description: "Helps.", prompt: "Help." } };
    expect(examined({ allowedTools: [], agents, mcpServers: { ci: server } })).toEqual([
      "claude-agent-sdk agent definition",
      "claude-agent-sdk agent helper",
      "claude-agent-sdk tool rerun_job",
    ]);
  });

  it("AI SDK: real agents and tool sets, named by their keys", () => {
    const search_flights = tool({
      description: "Finds flights.",
      inputSchema: z.object({ to: z.string().max(3) }),
    });
    const agent = new ToolLoopAgent({ id: "booker", model: "scripted", tools: { search_flights } as never });
    expect(examined(agent)).toEqual(["ai-sdk agent booker", "ai-sdk tool search_flights"]);
    expect(rulesFor(agent)).toEqual([]);
    expect(examined({ search_flights })).toEqual(["ai-sdk tool search_flights"]);
  });

  it("AI SDK: schemas of zod and of jsonSchema(), with what each lets through", () => {
    const withInput = (inputSchema: never) => ({
      search_flights: { description: "Finds flights.", inputSchema },
    });
    expect(rulesFor(withInput(z.object({ to: z.string() }) as never))).toEqual(["CONTRACT-006"]);
    expect(rulesFor(withInput(z.looseObject({ to: z.string().max(3) }) as never))).toEqual(["CONTRACT-004"]);
    const open = jsonSchema({ type: "object", required: ["to"], properties: { to: { type: "integer" } } });
    expect(rulesFor(withInput(open as never))).toEqual(["CONTRACT-004"]);
  });

  it("contracts, as defineTools() gives them, alone, in a registry and given to a framework", () => {
    const registry = defineTools({
      rerun_job: {
        ...contract(),
        input: {
          type: "object",
          additionalProperties: false,
          required: ["id"],
          properties: { id: { type: "integer" } },
        },
      },
    } as never) as ContractRegistry;
    expect(examined(registry)).toEqual(["contracts tool rerun_job"]);
    expect(examined(registry.rerun_job)).toEqual(["contracts tool rerun_job"]);
    expect(rulesFor(registry)).toEqual([]);
    const tools = {
      rerun_job: tool({ description: "Runs a job again.", inputSchema: registry.rerun_job as never }),
    };
    expect(examined(tools)).toEqual(["ai-sdk tool rerun_job"]);
    expect(rulesFor(tools)).toEqual([]);
  });

  it("contracts, as the registry's JSON", () => {
    expect(examined({ rerun_job: contract(), open_issue: contract() })).toEqual([
      "contracts tool rerun_job",
      "contracts tool open_issue",
    ]);
  });

  it("tools as plain data, of MCP and of model providers", () => {
    const { name, description, input_schema } = plainTool();
    expect(examined([{ name, description, inputSchema: input_schema }])).toEqual(["other tool rerun_job"]);
    expect(
      examined([{ type: "function", function: { name, description, parameters: input_schema } }]),
    ).toEqual(["other tool rerun_job"]);
  });

  it("a module's exports; an export's name is not taken for a tool's", () => {
    const module = { [Symbol.toStringTag]: "Module", search: tool({ inputSchema: z.object({}) }), count: 3 };
    expect(examined(module)).toEqual(["ai-sdk tool search"]);
    expect(rulesFor(module)).toEqual(["CONTRACT-003"]);
    expect(rulesFor({ search: module.search })).toContain("CONTRACT-002");
  });

  it("a tool that two agents share once", () => {
    const shared = openaiTool();
    const agents = ["a", "b"].map((name) => openaiAgent({ name, tools: [shared] }));
    expect(examined(agents)).toHaveLength(3);
  });
});

describe("what is not recognised", () => {
  it.each([
    undefined,
    null,
    1,
    "Bash",
    [],
    {},
    () => {},
    new Map([["a", plainTool()]]),
    new Date(),
    { tools: [] },
  ])("%o examines nothing, which is no pass", (definition) => {
    const { examined, findings } = reviewDefinitions(definition);
    expect([examined, findings]).toEqual([[], []]);
  });

  it.each([
    [
      "a schema that is not there yet",
      { look_up: { description: "d", inputSchema: { jsonSchema: Promise.resolve({}) } } },
      "JSON Schema",
    ],
    [
      "a schema that cannot be JSON",
      { look_up: tool({ description: "d", inputSchema: z.object({ on: z.date() }) }) },
      "JSON Schema",
    ],
    [
      "a provider's tool",
      { search: { type: "provider", id: "x.search", args: {}, inputSchema: {} } },
      "provider",
    ],
    ["a hosted tool", openaiAgent({ tools: [{ type: "hosted_tool", name: "web_search" }] }), "OpenAI runs"],
    [
      "tools of a server elsewhere",
      { allowedTools: [], mcpServers: { x: { type: "http", url: "http://x" } } },
      "MCP servers",
    ],
    [
      "a server whose tools cannot be seen",
      { mcpServers: { x: { type: "sdk", name: "x", instance: {} } } },
      "cannot be seen",
    ],
  ])("is said: %s", (_, definition, reason) => {
    const { skipped } = reviewDefinitions(definition);
    expect(skipped.map((one) => one.reason).join()).toContain(reason);
  });
});
