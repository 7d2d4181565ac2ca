/**
 * Mastra 1 with its OpenTelemetry bridge, which makes a tool's span the active one and says nothing on it but the tool's
 * name until it ends. Nothing of Mastra is imported, not even a type.
 *
 * @module
 */
export {
  type DelegationHooks,
  type LabelledDelegation,
  labelDelegation,
  type MastraDelegateDefinition,
} from "./mastra/delegation.ts";
export { exitReasonOf, type MastraRunResult } from "./mastra/exit-reason.ts";
export { guardedTool, type MastraGuardedTool } from "./mastra/guarded-tool.ts";
export {
  labelTools,
  type MastraToolDefinition,
  type MastraToolDefinitions,
  type MastraToolSet,
} from "./mastra/label-tools.ts";
export {
  approveCall,
  type MastraApproval,
  type MastraApprovalContext,
  type MastraMediatedTool,
  type MastraWaitingRun,
  mediatedTool,
  requireReview,
} from "./mastra/mediated-tool.ts";
