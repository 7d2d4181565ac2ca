/**
 * Google ADK 2. Nothing of it is imported, not even a type.
 *
 * @module
 */
export { AdkAgentTracker } from "./google-adk/agent-tracker.ts";
export { type AdkEvent, exitReasonOf } from "./google-adk/exit-reason.ts";
export { type AdkToolDefinition, labelTools } from "./google-adk/label-tools.ts";
