/**
 * Policy bindings: one event per policy, on the agent's root span.
 *
 * Parallel lists of ids and hashes on one event were not an option: a list that is cut pairs an id with another
 * policy's hash, and nothing shows it.
 *
 * @module
 */
import {
  POLICY_BINDING_ATTRIBUTES,
  type PolicyBindingAttributeName,
  type PolicySource,
  type PolicyType,
} from "../attributes/registry.ts";
import { requireShape } from "./options.ts";
import { isUsable, type MaybeSpan } from "./span.ts";
import { type BindingValues, writeBindings } from "./write.ts";

/** A signed policy that really exists in the deployment. Never invent an id, a version or a hash. */
export interface Binding {
  /** The policy's name in the deployment: 1 to 128 characters. */
  readonly id: string;
  /** What the policy restricts. */
  readonly type: PolicyType;
  /** SHA-256 of that one policy file: 64 lower-case hexadecimal characters. */
  readonly sha256: string;
  /** The policy's version: 1 to 128 characters. */
  readonly version: string;
  /** Whether the run may not go on without the policy. */
  readonly required: boolean;
  /** Where the policy comes from. */
  readonly source: PolicySource;
}

/**
 * Writes one `trustabl.policy.binding` event per binding, in their order. All are validated before the first is
 * written; no bindings, no event.
 *
 * @param bindings any iterable; read once
 * @throws RangeError when a field has another form, only when the span records and before anything is written
 * @throws TypeError when `bindings` is not iterable, only when the span records
 */
export function bindAuthority(span: MaybeSpan, bindings: Iterable<Binding> | null | undefined): void {
  if (!isUsable(span) || bindings === undefined || bindings === null) return;
  writeBindings(span, Array.from(bindings, valuesOf));
}

// In the registry's order.
const ATTRIBUTE_NAMES = Object.keys(POLICY_BINDING_ATTRIBUTES) as PolicyBindingAttributeName[];

// Each field is read once: a getter that answers differently later cannot get an unchecked value onto a span.
function valuesOf(binding: Binding, position: number): BindingValues {
  const values = {} as Record<PolicyBindingAttributeName, string | boolean>;
  for (const name of ATTRIBUTE_NAMES) {
    const field = name.slice(name.lastIndexOf(".") + 1) as keyof Binding;
    const value: unknown = binding?.[field];
    requireShape(`bindings[${position}].${field}`, POLICY_BINDING_ATTRIBUTES[name].shape, value);
    values[name] = value as string | boolean;
  }
  return values;
}
