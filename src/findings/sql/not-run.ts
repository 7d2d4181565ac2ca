/**
 * Signs that no tool function ran, in SQL; those of the verifier's `evidence/not-run.ts`. They matter to calls without
 * labels only.
 *
 * @module
 */
import { attribute as a } from "./literals.ts";

const ERROR = "is_error";
const AWS = "@aws/aws-distro-opentelemetry-instrumentation-openai-agents";

/** Conditions on the columns of `spans`; one that holds is enough. `result` is the captured result. */
export const NOT_RUN_SQL: readonly string[] = [
  `convention = 'openinference' AND ${ERROR} AND NOT mapContains(SpanAttributes, 'input.value')`,
  `convention = 'gen_ai' AND ScopeName = '@openlit/instrumentation-openai-agents' AND ${ERROR} AND mapContains(SpanAttributes, 'gen_ai.tool.call.arguments') AND ${a("gen_ai.tool.call.arguments")} = ''`,
  `convention = 'gen_ai' AND ScopeName = '${AWS}' AND ${ERROR} AND NOT mapContains(SpanAttributes, 'gen_ai.tool.call.arguments') AND (result != '' OR StatusMessage = 'Tool execution was not approved.')`,
  `convention = 'openinference' AND ${ERROR} AND (StatusMessage = 'Abandoned' OR position(StatusMessage, 'GraphInterrupt:') > 0)`,
  `convention = 'mastra' AND NOT ${ERROR} AND match(result, '^\\\\{"error":true\\\\b')`,
  `convention = 'gen_ai' AND ScopeName = 'strands-agents' AND ${ERROR} AND NOT has(\`Events.Name\`, 'exception')`,
  `convention = 'gen_ai' AND ScopeName = 'gcp.vertex.agent' AND match(result, '^\\\\{"error":"This tool call (?:requires confirmation, please approve or reject|is rejected)\\\\."\\\\}$')`,
  "convention = 'genkit' AND mapContains(SpanAttributes, 'genkit:metadata:interrupt')",
  "convention = 'traceloop' AND position(result, 'MCP error -32602') > 0",
  `convention = 'mcp' AND ${a("rpc.response.status_code")} = '-32602'`,
];
