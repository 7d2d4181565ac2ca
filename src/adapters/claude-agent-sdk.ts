/**
 * The Claude Agent SDK, with its native spans or with OpenInference. Every tool is labelled, whether it is built in, of an
 * MCP server or of this process. Nothing of the SDK is imported, not even a type.
 *
 * @module
 */
export { type AgentResult, exitReasonOf } from "./claude-agent-sdk/exit-reason.ts";
export type {
  AgentToolResult,
  GuardableOptions,
  GuardedAgentTool,
  ToolGuardOptions,
} from "./claude-agent-sdk/guarded-tool-types.ts";
export {
  type AgentTool,
  type ExportedSpan,
  type LabelRelay,
  QueryLabels,
  type QueryLabelsOptions,
  type RelayLabels,
} from "./claude-agent-sdk/query-labels.ts";
export { ToolGuard } from "./claude-agent-sdk/tool-guard.ts";
