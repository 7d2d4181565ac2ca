/**
 * The OpenAI Agents SDK (0.3.8 and newer) with OpenInference or another bridge to OpenTelemetry: the tool's span is hardly
 * ever the active one there, so a tracker of its own finds it; tools are labelled by wrapping them or from the runner's hooks.
 *
 * Nothing of the SDK is imported, not even a type.
 *
 * @module
 */

export { approveCall, type InterruptedCall } from "./openai-agents/approve-call.ts";
export { type AgentsRunResult, exitReasonOf, exitReasonOfError } from "./openai-agents/exit-reason.ts";
export type { AgentsFunctionTool } from "./openai-agents/function-tool.ts";
export { guardedTool } from "./openai-agents/guarded-tool.ts";
export { type AgentHooks, type HookedTool, labelRunner } from "./openai-agents/label-runner.ts";
export { labelTool } from "./openai-agents/label-tool.ts";
export { type AgentsToolDefinition, labelTools } from "./openai-agents/label-tools.ts";
export { type AgentsMediatedTool, mediatedTool } from "./openai-agents/mediated-tool.ts";
export { AgentsSpanTracker } from "./openai-agents/span-tracker.ts";
