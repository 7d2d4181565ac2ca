/**
 * Tool contracts: data that narrows what a tool may be called with, until misuse is a refused call and nothing ran.
 *
 * @module
 */
export type { ErrorClass, SideEffect } from "../attributes/registry.ts";
export { TrustablError } from "../errors.ts";
export type {
  ClaimRequirement,
  Contract,
  ContractData,
  ContractDefinition,
  ContractEffect,
  ContractRegistry,
  ContractTerms,
  Operation,
  Risk,
} from "./contract.ts";
export { ContractError, type ContractErrorCode } from "./contract-error.ts";
export { type ContractViolationCode, ContractViolationError } from "./contract-violation-error.ts";
export { defineTools, type Tools } from "./define/define-tools.ts";
export type { Change, ChangeKind } from "./diff/change.ts";
export { diffRegistries } from "./diff/diff-registries.ts";
export type { ContractIssue } from "./json-schema/standard-properties.ts";
export type { SchemaTarget } from "./json-schema/targets.ts";
export { registryDigest } from "./registry-digest.ts";
export {
  type Action,
  EMPTY_TRAIL,
  type ExaminedSubject,
  type Finding,
  type FindingStatus,
  type FormatReviewOptions,
  type Framework,
  formatReview,
  isSevere,
  type Review,
  type ReviewFormat,
  type ReviewOptions,
  type RuleDescription,
  readTrail,
  recordRepairs,
  reviewDefinitions,
  reviewRules,
  type Scope,
  type Severity,
  type Skipped,
  type Trail,
  type TrailEntry,
  TrailError,
  type TrailErrorCode,
} from "./review/index.ts";
export type { InputSchema, JsonValue, ObjectSchema, TypeName } from "./schema.ts";
export type { ArgumentsOf, ValueOf } from "./schema-type.ts";
export type { StandardProperties, StandardSource } from "./standard-schema.ts";
export type { ContractToolOptions } from "./tool/options.ts";
export { type GuardedResult, tool } from "./tool/tool.ts";
export { type ProposedCall, validateCall } from "./validate-call.ts";
export type { Accepted, Problem, Refused, Validation, ValidationOptions } from "./validation.ts";
