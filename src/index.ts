/**
 * The labels: what most programs need, and what runs anywhere. No `node:` import, no framework.
 *
 * @module
 */
export { keys } from "./attributes/keys.ts";
export type {
  ErrorClass,
  ExitReason,
  Labels,
  PolicySource,
  PolicyType,
  SideEffect,
} from "./attributes/registry.ts";
export { TrustablError } from "./errors.ts";
export {
  CanonicalizationError,
  type CanonicalizationErrorCode,
  canonicalFp,
  canonicalJson,
  type FingerprintOptions,
  type RunFingerprint,
  stripVolatile,
  type ToolFingerprint,
} from "./fingerprint/index.ts";
export { type Binding, bindAuthority } from "./labels/policy-binding.ts";
export { markHandoff, markRunEnd } from "./labels/run-span.ts";
export type { LabelSpan, MaybeSpan } from "./labels/span.ts";
export { markToolSpan, type ToolSpanOptions } from "./labels/tool-span.ts";
export {
  type FailedPolicy,
  type PolicyFailureDecision,
  type PolicySet,
  RequiredPolicyError,
} from "./run/required-policies.ts";
export { Run, type RunOptions, type StopReason, type UntrustedInput } from "./run/run.ts";
export { currentRun } from "./run/run-context.ts";
export {
  type RunHandle,
  type StartRunOptions,
  startRun,
  type WithRunOptions,
  withRun,
} from "./run/with-run.ts";
export { type FindToolSpanOptions, findToolSpan } from "./tool/find-tool-span.ts";
export type { ToolCall, ToolDefinition, ToolFunction } from "./tool/tool-definition.ts";
export { wrapTool } from "./tool/wrap-tool.ts";
