/**
 * Claims: what the model says that a call is about to do, compared with what the server knows, before anything happens.
 *
 * @module
 */
export type { ApprovalStore } from "./approvals.ts";
export { CHECKS, type CheckId, type Profile } from "./checks.ts";
export {
  type ClaimVocabulary,
  claimSchema,
  SCHEMA_VERSION,
  type ToolInvocationExplanation,
} from "./claim.ts";
export { type DecideInput, type Decision, decide } from "./decide.ts";
export { type Digest, digestOf, digestOfText } from "./digest.ts";
export type { Facts, IntentFact } from "./facts.ts";
export { type MediatedTools, mediate } from "./mediate.ts";
export {
  type AuditEntry,
  type MediatedCall,
  Mediation,
  type MediationOptions,
  type Verdict,
} from "./mediation.ts";
export { MediationError, type MediationErrorCode } from "./mediation-error.ts";
export type { Outcome } from "./outcome.ts";
export { REASONS, type Reason } from "./reasons.ts";
export type { CheckResult, DecisionRecord } from "./record.ts";
export type { FactCall, FactResolver } from "./resolve-facts.ts";
export { type ShownTool, type WithClaim, withClaim } from "./with-claim.ts";
