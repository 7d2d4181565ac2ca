import { describe, expect, it } from "vitest";
import { CONVENTIONS, recogniseSpan, type SpanFacts } from "../../src/attributes/conventions.ts";

type Expected = readonly [role: string | undefined, toolName?: string, callId?: string];

const openlit = "@openlit/instrumentation-openai-agents";

/** Spans as the instrumentations really export them, cut down to what tells them apart. */
const spans: readonly (readonly [string, SpanFacts, Expected])[] = [
  [
    "AI SDK 6 tool",
    {
      name: "ai.toolCall",
      attributes: { "ai.operationId": "ai.toolCall", "ai.toolCall.name": "lookup", "ai.toolCall.id": "c1" },
    },
    ["tool", "lookup", "c1"],
  ],
  [
    "AI SDK 6 run",
    { name: "ai.generateText", attributes: { "ai.operationId": "ai.generateText" } },
    ["agent"],
  ],
  ["AI SDK 6 stream", { name: "ai.streamText" }, ["agent"]],
  [
    "AI SDK 6 model call",
    { name: "ai.generateText.doGenerate", attributes: { "ai.operationId": "ai.generateText.doGenerate" } },
    [undefined],
  ],
  [
    "AI SDK 7 tool",
    {
      name: "execute_tool lookup",
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "lookup",
        "gen_ai.tool.call.id": "c1",
        "gen_ai.tool.type": "function",
      },
    },
    ["tool", "lookup", "c1"],
  ],
  [
    "AI SDK 7 provider-executed tool",
    {
      name: "execute_tool web_search",
      attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.type": "extension" },
    },
    ["no_call", "web_search"],
  ],
  [
    "AI SDK 7 run",
    { name: "invoke_agent mock", attributes: { "gen_ai.operation.name": "invoke_agent" } },
    ["agent"],
  ],
  ["AI SDK 7 step", { name: "step 1", attributes: { "gen_ai.operation.name": "agent_step" } }, [undefined]],
  [
    "GenAI create_agent, which is no run",
    { name: "create_agent x", attributes: { "gen_ai.operation.name": "create_agent" } },
    [undefined],
  ],
  [
    "GenAI workflow",
    { name: "invoke_workflow x", attributes: { "gen_ai.operation.name": "invoke_workflow" } },
    ["agent"],
  ],
  [
    "OpenInference tool",
    { name: "get_weather", attributes: { "openinference.span.kind": "TOOL", "tool.name": "get_weather" } },
    ["tool", "get_weather"],
  ],
  [
    "OpenInference handoff",
    {
      name: "handoff to Specialist",
      attributes: { "openinference.span.kind": "TOOL", "tool.name": "handoff_to_Specialist" },
    },
    ["handoff", "handoff_to_Specialist"],
  ],
  [
    "OpenInference list of MCP tools",
    { name: "mcp_tools", attributes: { "openinference.span.kind": "TOOL" } },
    ["no_call"],
  ],
  ["OpenInference agent", { name: "Triage", attributes: { "openinference.span.kind": "AGENT" } }, ["agent"]],
  ["OpenInference chain", { name: "turn", attributes: { "openinference.span.kind": "CHAIN" } }, [undefined]],
  [
    "LangChain agent, a chain that metadata names",
    { name: "sub", attributes: { "openinference.span.kind": "CHAIN", metadata: '{"lc_agent_name":"sub"}' } },
    ["agent"],
  ],
  [
    "LangChain chain below an agent",
    {
      name: "tools",
      attributes: { "openinference.span.kind": "CHAIN", metadata: '{"lc_agent_name":"sub"}' },
    },
    [undefined],
  ],
  [
    "LangGraph graph without a name, called by a tool of a named agent",
    {
      name: "LangGraph",
      attributes: {
        "openinference.span.kind": "CHAIN",
        metadata:
          '{"ls_integration":"langchain_create_agent","lc_agent_name":"main","langgraph_node":"tools"}',
      },
    },
    ["agent"],
  ],
  [
    "LangChain chain with broken metadata",
    { name: "sub", attributes: { "openinference.span.kind": "CHAIN", metadata: "{" } },
    [undefined],
  ],
  [
    "Traceloop tool",
    { name: "lookup.tool", attributes: { "traceloop.span.kind": "tool", "traceloop.entity.name": "lookup" } },
    ["tool", "lookup"],
  ],
  [
    "Traceloop session",
    { name: "mcp.client.session", attributes: { "traceloop.span.kind": "session" } },
    [undefined],
  ],
  [
    "Traceloop LangChain tool",
    {
      name: "execute_tool DynamicStructuredTool",
      attributes: { "traceloop.span.kind": "task", "gen_ai.operation.name": "execute_tool" },
    },
    ["tool"],
  ],
  [
    "Traceloop workflow",
    { name: "workflow X", attributes: { "traceloop.span.kind": "workflow" } },
    ["agent"],
  ],
  ["Laminar tool", { name: "search", attributes: { "lmnr.span.type": "TOOL" } }, ["tool", "search"]],
  [
    "Laminar handoff",
    { name: "agents.handoff", attributes: { "lmnr.span.type": "TOOL" } },
    ["handoff", "agents.handoff"],
  ],
  [
    "Laminar list of an MCP server's tools",
    { name: "agents.mcp_tools", attributes: { "lmnr.span.type": "TOOL" } },
    ["no_call", "agents.mcp_tools"],
  ],
  ["Laminar span of another kind", { name: "x", attributes: { "lmnr.span.type": "DEFAULT" } }, [undefined]],
  ["Langfuse tool", { name: "x", attributes: { "langfuse.observation.type": "tool" } }, ["tool"]],
  ["Langfuse agent", { name: "x", attributes: { "langfuse.observation.type": "agent" } }, ["agent"]],
  [
    "Langfuse generation",
    { name: "x", attributes: { "langfuse.observation.type": "generation" } },
    [undefined],
  ],
  [
    "Mastra tool",
    {
      name: "execute_tool get_weather",
      attributes: {
        "mastra.span.type": "tool_call",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "get_weather",
        "gen_ai.tool.call.id": "c",
      },
    },
    ["tool", "get_weather", "c"],
  ],
  ["Mastra tool while it is live", { name: "tool: 'get_weather'" }, ["tool", "get_weather"]],
  [
    "Mastra tool of an MCP server while it is live",
    { name: "mcp_tool: 'get_weather' on 'weather'" },
    ["tool", "get_weather"],
  ],
  ["Mastra agent while it is live", { name: "agent run: 'w'" }, ["agent"]],
  ["Mastra agent", { name: "invoke_agent W", attributes: { "mastra.span.type": "agent_run" } }, ["agent"]],
  [
    "Strands structured output",
    {
      name: "execute_tool strands_structured_output",
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "strands_structured_output",
      },
    },
    ["no_call", "strands_structured_output"],
  ],
  [
    "Strands graph",
    { name: "invoke_graph g", attributes: { "gen_ai.operation.name": "invoke_graph" } },
    ["agent"],
  ],
  [
    "Strands swarm",
    { name: "invoke_swarm s", attributes: { "gen_ai.operation.name": "invoke_swarm" } },
    ["agent"],
  ],
  [
    "ADK tool that failed, with only its name",
    { name: "execute_tool boom", scope: "gcp.vertex.agent", attributes: {} },
    ["tool", "boom"],
  ],
  [
    "ADK transfer that failed, with only its name",
    { name: "execute_tool transfer_to_agent", scope: "gcp.vertex.agent", attributes: {} },
    ["handoff", "transfer_to_agent"],
  ],
  [
    "AWS distribution's task of OpenAI Agents, which is no agent",
    {
      name: "invoke_workflow Agent workflow",
      scope: "@aws/aws-distro-opentelemetry-instrumentation-openai-agents",
      attributes: { "gen_ai.operation.name": "invoke_workflow" },
    },
    [undefined],
  ],
  [
    "openlit agent",
    { name: "invoke_agent A", scope: openlit, attributes: { "gen_ai.operation.name": "invoke_agent" } },
    ["agent"],
  ],
  [
    "openlit task or turn, which is no agent",
    { name: "invoke_agent", scope: openlit, attributes: { "gen_ai.operation.name": "invoke_agent" } },
    [undefined],
  ],
  [
    "openlit guardrail, which is no agent",
    {
      name: "invoke_agent A",
      scope: openlit,
      attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.guardrail.triggered": false },
    },
    [undefined],
  ],
  [
    "openlit handoff",
    {
      name: "invoke_agent A",
      scope: openlit,
      attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.source": "B" },
    },
    ["handoff"],
  ],
  [
    "openlit tool",
    {
      name: "execute_tool get_weather",
      scope: openlit,
      attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get_weather" },
    },
    ["tool", "get_weather"],
  ],
  [
    "openlit list of an MCP server's tools",
    {
      name: "execute_tool mcp_list_tools",
      scope: openlit,
      attributes: { "gen_ai.operation.name": "execute_tool" },
    },
    ["no_call", "mcp_list_tools"],
  ],
  [
    "ADK merged",
    {
      name: "execute_tool (merged)",
      attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "(merged tools)" },
    },
    ["no_call", "(merged tools)"],
  ],
  [
    "VoltAgent delegation",
    {
      name: "tool.execution:delegate_task",
      attributes: { "entity.type": "agent", "span.type": "tool", "tool.name": "delegate_task" },
    },
    ["handoff", "delegate_task"],
  ],
  [
    "VoltAgent tool",
    {
      name: "tool.execution:x",
      attributes: { "entity.type": "agent", "span.type": "tool", "tool.name": "x" },
    },
    ["tool", "x"],
  ],
  ["VoltAgent agent", { name: "x", attributes: { "entity.type": "agent" } }, ["agent"]],
  [
    "Genkit tool",
    { name: "x", attributes: { "genkit:metadata:subtype": "tool", "genkit:name": "x" } },
    ["tool", "x"],
  ],
  [
    "MCP tool call",
    { name: "tools/call get-weather", attributes: { "mcp.method.name": "tools/call" } },
    ["tool", "get-weather"],
  ],
  ["MCP list", { name: "tools/list", attributes: { "mcp.method.name": "tools/list" } }, [undefined]],
  [
    "Claude Code tool",
    {
      name: "claude_code.tool",
      attributes: {
        "span.type": "tool",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "lookup",
        "gen_ai.tool.call.id": "t1",
      },
    },
    ["tool", "lookup", "t1"],
  ],
  [
    "Claude Code tool of an MCP server, whose name is not the server's",
    {
      name: "claude_code.tool",
      scope: "com.anthropic.claude_code.tracing",
      attributes: {
        "span.type": "tool",
        tool_name: "mcp__demo__lookup",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "lookup",
        tool_use_id: "t1",
      },
    },
    ["tool", "mcp__demo__lookup", "t1"],
  ],
  [
    "Claude Code run",
    {
      name: "claude_code.interaction",
      attributes: { "span.type": "interaction", "gen_ai.operation.name": "invoke_agent" },
    },
    ["agent"],
  ],
  [
    "Claude Code wait for a permission",
    { name: "claude_code.tool.blocked_on_user", attributes: { "span.type": "tool.blocked_on_user" } },
    [undefined],
  ],
  [
    "Claude Code execution below it",
    {
      name: "claude_code.tool.execution",
      attributes: { "span.type": "tool.execution", "gen_ai.tool.call.id": "t1" },
    },
    [undefined],
  ],
  [
    "Anthropic SDK tool runner",
    {
      name: "anthropic.custom_tool_use lookup",
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "lookup",
        "gen_ai.tool.call.id": "t1",
      },
    },
    ["tool", "lookup", "t1"],
  ],
  ["an HTTP request", { name: "POST /chat", attributes: { "http.request.method": "POST" } }, [undefined]],
  ["a span with a kind of its own", { name: "tool", attributes: { "span.type": "tool" } }, [undefined]],
  ["nothing at all", {}, [undefined]],
];

describe("recognising spans", () => {
  it.each(spans)("%s", (_name, span, [role, toolName, callId]) => {
    const recognised = recogniseSpan(span);
    expect(recognised?.role).toBe(role);
    if (toolName !== undefined) expect(recognised?.toolName).toBe(toolName);
    expect(recognised?.callId).toBe(callId);
  });

  it("has a test for each convention", () => {
    const tested = new Set(spans.map(([, span]) => recogniseSpan(span)?.convention.id));
    for (const { id } of CONVENTIONS) expect(tested).toContain(id);
  });

  it("does not recognise what cannot be read", () => {
    const hostile = new Proxy(
      {},
      {
        get() {
          throw new Error("no");
        },
      },
    );
    expect(recogniseSpan({ name: "execute_tool x", attributes: hostile })).toBeUndefined();
    expect(recogniseSpan(hostile)).toBeUndefined();
  });

  it("takes no value of another type for a name", () => {
    const span = {
      name: "x",
      attributes: { "openinference.span.kind": "TOOL", "tool.name": { toString: () => "x" } },
    };
    expect(recogniseSpan(span)?.toolName).toBeUndefined();
  });
});
