/**
 * The fields that rules test, group by and show: what the label is called on the span, and its column in the SQL.
 *
 * @module
 */

/** Name, label, column. */
interface FieldRow {
  /** What the value is called in evidence: the attribute's name where there is one. */
  readonly label: string;
  /** Its column in the SQL. */
  readonly column: string;
  /** Numbers and flags; everything else is text, and a text that is empty is none. */
  readonly type?: "count" | "flag";
}

/** Every field. */
export const FIELDS = {
  tool: { label: "gen_ai.tool.name", column: "tool" },
  step: { label: "trustabl.step_index", column: "step_index", type: "count" },
  attempt: { label: "trustabl.tool.attempt", column: "attempt", type: "count" },
  inputFp: { label: "trustabl.tool.input_fp", column: "input_fp" },
  outputFp: { label: "trustabl.tool.output_fp", column: "output_fp" },
  sideEffect: { label: "trustabl.tool.side_effect", column: "side_effect" },
  errorClass: { label: "trustabl.tool.error_class", column: "error_class" },
  exitReason: { label: "trustabl.exit_reason", column: "exit_reason" },
  handoffId: { label: "trustabl.handoff_id", column: "handoff_id" },
  failed: { label: "failed", column: "failed", type: "flag" },
  decision: { label: "trustabl.constraint.decision", column: "decision" },
  constraintKind: { label: "trustabl.constraint.kind", column: "constraint_kind" },
  reasonCode: { label: "trustabl.constraint.reason_code", column: "reason_code" },
  dataClass: { label: "trustabl.constraint.data_class", column: "data_class" },
  bundleId: { label: "trustabl.policy.bundle_id", column: "bundle_id" },
  bundleSha256: { label: "trustabl.policy.bundle_sha256", column: "bundle_sha256" },
  contractId: { label: "trustabl.contract.id", column: "contract_id" },
  contractHash: { label: "trustabl.contract.sha256", column: "contract_hash" },
  /** The hash on the span itself, not on its resource. */
  spanContractHash: { label: "trustabl.contract.sha256", column: "span_contract_hash" },
  agentVersion: { label: "gen_ai.agent.version", column: "agent_version", type: "flag" },
  policyId: { label: "trustabl.policy.binding.id", column: "policy_id" },
  policySha256: { label: "trustabl.policy.binding.sha256", column: "policy_sha256" },
  policyVersion: { label: "trustabl.policy.binding.version", column: "policy_version" },
} as const satisfies Record<string, FieldRow>;

/** Name of a field. */
export type Field = keyof typeof FIELDS;

/** A field's label and column. */
export const fieldRow = (field: Field): FieldRow => FIELDS[field];
