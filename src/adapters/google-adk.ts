/**
 * Google ADK 2. Nothing of it is imported, not even a type.
 *
 * @module
 */
export { AdkAgentTracker } from "./google-adk/agent-tracker.ts";
export { type AdkEvent, exitReasonOf } from "./google-adk/exit-reason.ts";
export { type AdkGuardedTool, guardedTool } from "./google-adk/guarded-tool.ts";
export { type AdkToolDefinition, labelTools } from "./google-adk/label-tools.ts";
export { type AdkMediatedTool, mediatedTool } from "./google-adk/mediated-tool.ts";
