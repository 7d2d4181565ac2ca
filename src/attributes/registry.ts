/**
 * Every name that this package writes or checks, one row each. Constants, types, enum sets, validation, the
 * verifier and `docs/attributes.md` derive from these rows; a name is written down nowhere else.
 *
 * The names, types and values are a contract that the Python and TypeScript packages share.
 *
 * @module
 */

/** How a run ended. */
export const EXIT_REASONS = ["final_answer", "max_steps", "policy_stop", "error"] as const;
/** How a run ended: `final_answer`, `max_steps`, `policy_stop` or `error`. */
export type ExitReason = (typeof EXIT_REASONS)[number];

/** What a tool can do to the world, from harmless to final. */
export const SIDE_EFFECTS = ["pure", "read", "write", "irreversible"] as const;
/** What a tool can do to the world: `pure`, `read`, `write` or `irreversible`. */
export type SideEffect = (typeof SIDE_EFFECTS)[number];

/** How a tool call failed, where that is known. */
export const ERROR_CLASSES = ["timeout", "4xx", "5xx", "empty", "schema", "auth"] as const;
/** How a tool call failed: `timeout`, `4xx`, `5xx`, `empty`, `schema` or `auth`. */
export type ErrorClass = (typeof ERROR_CLASSES)[number];

/** What a policy restricts. */
export const POLICY_TYPES = [
  "sandbox",
  "content_safety",
  "tool_grants",
  "retention",
  "data_security",
  "custom",
] as const;
/** What a policy restricts: `sandbox`, `content_safety`, `tool_grants`, `retention`, `data_security` or `custom`. */
export type PolicyType = (typeof POLICY_TYPES)[number];

/** Where a policy comes from. */
export const POLICY_SOURCES = ["entrypoint", "inherited", "sidecar", "external"] as const;
/** Where a policy comes from: `entrypoint`, `inherited`, `sidecar` or `external`. */
export type PolicySource = (typeof POLICY_SOURCES)[number];

/**
 * The form of a value:
 * - `id`: 1 to 128 characters, no control characters, no unpaired surrogates
 * - `fingerprint`: exactly 16 lower-case hexadecimal characters
 * - `sha256`: exactly 64 lower-case hexadecimal characters
 * - `count`: an integer from `minimum` to 2^53 - 1
 * - `enum`: one of `values`
 * - `flag`: a boolean
 */
export type Shape =
  | { readonly form: "id" }
  | { readonly form: "fingerprint" }
  | { readonly form: "sha256" }
  | { readonly form: "count"; readonly minimum: number }
  | { readonly form: "enum"; readonly values: readonly string[] }
  | { readonly form: "flag" };

/** One name: what its values look like. Where it goes and what it says is in `descriptions.ts`. */
export interface AttributeRow {
  readonly shape: Shape;
}

const id = { form: "id" } as const;
const fingerprint = { form: "fingerprint" } as const;
const enumeration = <const Values extends readonly string[]>(values: Values) =>
  ({ form: "enum", values }) as const;

/** The event that says which policy was in force: one per policy, on the agent root span. */
export const POLICY_BINDING_EVENT = "trustabl.policy.binding";

/** Attributes of spans. */
export const SPAN_ATTRIBUTES = {
  "trustabl.run_id": {
    shape: id,
  },
  "trustabl.exit_reason": {
    shape: enumeration(EXIT_REASONS),
  },
  "trustabl.step_index": {
    shape: { form: "count", minimum: 0 },
  },
  "trustabl.tool.input_fp": {
    shape: fingerprint,
  },
  "trustabl.tool.output_fp": {
    shape: fingerprint,
  },
  "trustabl.tool.attempt": {
    shape: { form: "count", minimum: 1 },
  },
  "trustabl.tool.side_effect": {
    shape: enumeration(SIDE_EFFECTS),
  },
  "trustabl.tool.error_class": {
    shape: enumeration(ERROR_CLASSES),
  },
  "trustabl.handoff_id": {
    shape: id,
  },
} as const satisfies Record<string, AttributeRow>;

/** Attributes of the event {@link POLICY_BINDING_EVENT}. */
export const POLICY_BINDING_ATTRIBUTES = {
  "trustabl.policy.binding.id": {
    shape: id,
  },
  "trustabl.policy.binding.type": {
    shape: enumeration(POLICY_TYPES),
  },
  "trustabl.policy.binding.sha256": {
    shape: { form: "sha256" },
  },
  "trustabl.policy.binding.version": {
    shape: id,
  },
  "trustabl.policy.binding.required": {
    shape: { form: "flag" },
  },
  "trustabl.policy.binding.source": {
    shape: enumeration(POLICY_SOURCES),
  },
} as const satisfies Record<string, AttributeRow>;

/** Name of a label on a span. */
export type SpanAttributeName = keyof typeof SPAN_ATTRIBUTES;
/** Name of an attribute of the policy binding event. */
export type PolicyBindingAttributeName = keyof typeof POLICY_BINDING_ATTRIBUTES;

type ValueOf<S extends Shape> = S extends { form: "enum"; values: readonly (infer V)[] }
  ? V
  : S extends { form: "count" }
    ? number
    : S extends { form: "flag" }
      ? boolean
      : string;

/** The labels of a span, each with the type of its value. Read exported spans with it: `span.attributes as Labels`. */
export type Labels = {
  readonly [Name in SpanAttributeName]?: ValueOf<(typeof SPAN_ATTRIBUTES)[Name]["shape"]>;
};
