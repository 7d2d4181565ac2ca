/**
 * The public constants: every `trustabl.*` name and every closed list of values.
 *
 * @module
 */
import {
  ERROR_CLASSES,
  EXIT_REASONS,
  POLICY_BINDING_EVENT,
  POLICY_SOURCES,
  POLICY_TYPES,
  type PolicyBindingAttributeName,
  SIDE_EFFECTS,
  type SpanAttributeName,
} from "./registry.ts";

/**
 * Every name and every closed list of values, for queries, dashboards and tests.
 *
 * The field names are the Python package's constants.
 *
 * @example
 * ```ts
 * import { keys } from "agent-reliability-otel-labels";
 *
 * const isRetry = (attributes: Record<string, unknown>) => Number(attributes[keys.TOOL_ATTEMPT]) > 1;
 * ```
 */
export const keys = {
  RUN_ID: "trustabl.run_id",
  EXIT_REASON: "trustabl.exit_reason",
  STEP_INDEX: "trustabl.step_index",
  TOOL_INPUT_FP: "trustabl.tool.input_fp",
  TOOL_OUTPUT_FP: "trustabl.tool.output_fp",
  TOOL_ATTEMPT: "trustabl.tool.attempt",
  TOOL_SIDE_EFFECT: "trustabl.tool.side_effect",
  TOOL_ERROR_CLASS: "trustabl.tool.error_class",
  HANDOFF_ID: "trustabl.handoff_id",
  POLICY_BINDING_EVENT,
  POLICY_BINDING_ID: "trustabl.policy.binding.id",
  POLICY_BINDING_TYPE: "trustabl.policy.binding.type",
  POLICY_BINDING_SHA256: "trustabl.policy.binding.sha256",
  POLICY_BINDING_VERSION: "trustabl.policy.binding.version",
  POLICY_BINDING_REQUIRED: "trustabl.policy.binding.required",
  POLICY_BINDING_SOURCE: "trustabl.policy.binding.source",
  EXIT_REASONS,
  SIDE_EFFECTS,
  ERROR_CLASSES,
  POLICY_TYPES,
  POLICY_SOURCES,
} as const satisfies Record<
  string,
  SpanAttributeName | PolicyBindingAttributeName | typeof POLICY_BINDING_EVENT | readonly string[]
>;
