/**
 * How a span is recognised, in SQL: the predicates of the conventions' table once more. A test holds both to the same
 * answer on every recorded export; everything else of that table is used as it is.
 *
 * @module
 */
import type { ConventionId } from "../../attributes/conventions.ts";
import { attribute as a, quoted } from "./literals.ts";

const kind = (name: string): string => `${a("traceloop.span.kind")} = ${quoted(name)}`;
const named = (pattern: string): string => `match(SpanName, ${quoted(pattern)})`;
const METADATA = a("metadata");
const GRAPH = `JSONExtractString(${METADATA}, 'ls_integration') IN ('langchain_create_agent', 'langgraph')`;
const OPENLIT = "ScopeName = '@openlit/instrumentation-openai-agents'";
const ADK = "ScopeName = 'gcp.vertex.agent'";

/** For each convention of the table the role it gives a span; an empty text where it does not know the span. */
export const ROLE_SQL: Readonly<Record<ConventionId, string>> = {
  "ai-sdk": `multiIf(
  SpanName = 'ai.toolCall' OR ${a("ai.operationId")} = 'ai.toolCall', 'tool',
  if(${a("ai.operationId")} != '', ${a("ai.operationId")}, SpanName) IN ('ai.generateText', 'ai.streamText', 'ai.generateObject', 'ai.streamObject'), 'agent',
  '')`,
  openinference: `multiIf(
  ${a("openinference.span.kind")} = 'TOOL', multiIf(startsWith(SpanName, 'handoff to '), 'handoff', SpanName = 'mcp_tools', 'no_call', 'tool'),
  ${a("openinference.span.kind")} = 'AGENT', 'agent',
  ${a("openinference.span.kind")} != 'CHAIN' OR ${METADATA} = '' OR length(${METADATA}) > 65536 OR NOT isValidJSON(${METADATA}), '',
  ${GRAPH} AND SpanName = 'LangGraph', 'agent',
  JSONType(${METADATA}, 'lc_agent_name') = 'String', if(JSONExtractString(${METADATA}, 'lc_agent_name') = SpanName, 'agent', ''),
  ${GRAPH} AND NOT JSONHas(${METADATA}, 'langgraph_node'), 'agent',
  '')`,
  "traceloop-langchain": `if(${kind("task")} AND ${named("^execute_tool .+$")}, 'tool', '')`,
  traceloop: `multiIf(${kind("tool")}, 'tool', ${kind("agent")} OR ${kind("workflow")}, 'agent', '')`,
  langfuse: `if(${a("langfuse.observation.type")} IN ('tool', 'agent'), toString(${a("langfuse.observation.type")}), '')`,
  laminar: `multiIf(
  ${a("lmnr.span.type")} != 'TOOL', '',
  SpanName = 'agents.handoff', 'handoff',
  SpanName IN ('agents.mcp_tools', 'agents.mcp_list_tools'), 'no_call',
  'tool')`,
  mastra: `multiIf(
  ${a("mastra.span.type")} IN ('tool_call', 'mcp_tool_call'), 'tool',
  ${a("mastra.span.type")} = 'provider_tool_call', 'no_call',
  ${a("mastra.span.type")} = 'agent_run', 'agent',
  ${named("^(?:mcp_)?tool: '(.+?)'(?: on '.*')?$")}, 'tool',
  ${named("^agent run: '.+'$")}, 'agent',
  '')`,
  voltagent: `multiIf(
  ${a("entity.type")} = '', '',
  ${a("span.type")} = 'tool', if(${a("tool.name")} = 'delegate_task', 'handoff', 'tool'),
  ${a("span.type")} = '' AND ${a("entity.type")} = 'agent', 'agent',
  '')`,
  "claude-code": `multiIf(
  ScopeName != 'com.anthropic.claude_code.tracing' AND NOT startsWith(SpanName, 'claude_code.'), '',
  ${a("span.type")} = 'tool' OR SpanName = 'claude_code.tool', 'tool',
  ${a("span.type")} = 'interaction' OR SpanName = 'claude_code.interaction', 'agent',
  '')`,
  genkit: `multiIf(${a("genkit:metadata:subtype")} = 'tool', 'tool', ${a("genkit:isRoot")} = 'true', 'agent', '')`,
  mcp: `if(${a("mcp.method.name")} = 'tools/call', 'tool', '')`,
  gen_ai: `multiIf(
  ${a("gen_ai.operation.name")} = 'execute_tool', multiIf(
    ${ADK} AND ${a("gen_ai.tool.name")} = 'transfer_to_agent', 'handoff',
    ${a("gen_ai.tool.name")} = 'strands_structured_output', 'no_call',
    ${a("gen_ai.tool.type")} = 'extension', 'no_call',
    ${OPENLIT} AND SpanName = 'execute_tool mcp_list_tools' AND ${a("gen_ai.tool.name")} = '', 'no_call',
    startsWith(SpanName, 'execute_tool (merged'), 'no_call',
    'tool'),
  ${a("gen_ai.operation.name")} = 'invoke_agent', multiIf(
    NOT ${OPENLIT}, 'agent',
    SpanName = 'invoke_agent' OR mapContains(SpanAttributes, 'gen_ai.guardrail.triggered'), '',
    ${a("gen_ai.agent.source")} = '', 'agent',
    'handoff'),
  ${a("gen_ai.operation.name")} = 'invoke_workflow', if(ScopeName = '@aws/aws-distro-opentelemetry-instrumentation-openai-agents', '', 'agent'),
  ${a("gen_ai.operation.name")} IN ('invoke_graph', 'invoke_swarm'), 'agent',
  ${a("gen_ai.operation.name")} != '', '',
  ${ADK} AND SpanName = 'execute_tool transfer_to_agent', 'handoff',
  startsWith(SpanName, 'execute_tool (merged'), 'no_call',
  ${named("^execute_tool .+$")}, 'tool',
  ${named("^invoke_agent( |$)")}, 'agent',
  '')`,
};
