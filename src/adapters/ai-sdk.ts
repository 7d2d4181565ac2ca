/**
 * The Vercel AI SDK 5, 6 and 7. Nothing of the SDK is imported, not even a type: the shapes here fit all three versions.
 *
 * @module
 */
export { type AiRunResult, exitReasonOf } from "./ai-sdk/exit-reason.ts";
export { type LabelTelemetry, labelTelemetry } from "./ai-sdk/label-telemetry.ts";
export {
  type AiToolDefinition,
  type AiToolDefinitions,
  type AiToolSet,
  labelTools,
} from "./ai-sdk/label-tools.ts";
export { type AiSdkMediatedTool, mediatedTool } from "./ai-sdk/mediated-tool.ts";
