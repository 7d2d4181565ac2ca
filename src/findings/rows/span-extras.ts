/**
 * What the rules read of a span besides the labels that the verifier keeps: labels of other producers, and the policies
 * that the span says it is bound by.
 *
 * @module
 */
import { POLICY_BINDING_EVENT } from "../../attributes/registry.ts";
import { hasShape } from "../../attributes/shapes.ts";
import type { AttributeBag, SpanView } from "../../verify/span-view.ts";
import { WORD } from "./words.ts";

/** One policy, as a binding event says it. */
export interface BoundPolicy {
  readonly id: string | undefined;
  readonly type: string | undefined;
  readonly sha256: string | undefined;
  readonly version: string | undefined;
}

/** What the rules read besides. */
export interface SpanExtras {
  /** How many `trustabl.*` attributes there are: of two copies of a span the one with more counts. */
  readonly labelCount: number;
  /** `none`, which another reading of the labels knows. */
  readonly sideEffectNone: boolean;
  readonly failed: boolean;
  readonly decision: string | undefined;
  readonly constraintKind: string | undefined;
  readonly reasonCode: string | undefined;
  readonly dataClass: string | undefined;
  readonly bundleId: string | undefined;
  readonly bundleSha256: string | undefined;
  readonly contractId: string | undefined;
  readonly contractHash: string | undefined;
  readonly spanContractHash: string | undefined;
  readonly agentVersion: boolean;
  readonly policies: readonly BoundPolicy[];
  readonly droppedEvents: boolean;
}

// An SDK keeps 128 events of a span; more than a few policies are a fault or an attack.
const MAX_POLICIES = 128;
const NO_POLICIES: readonly BoundPolicy[] = Object.freeze([]);

/** Reads them. Looks at other people's objects, which may throw. */
export function extrasOf(view: SpanView): SpanExtras {
  const { attributes, resource = {} } = view;
  const spanContractHash = word(attributes["trustabl.contract.sha256"]);
  return {
    labelCount: countLabels(attributes),
    sideEffectNone: attributes["trustabl.tool.side_effect"] === "none",
    failed: showsFailure(view),
    decision: present(attributes["trustabl.constraint.decision"]),
    constraintKind: present(attributes["trustabl.constraint.kind"]),
    reasonCode: present(attributes["trustabl.constraint.reason_code"]),
    dataClass: present(attributes["trustabl.constraint.data_class"]),
    bundleId: present(attributes["trustabl.policy.bundle_id"]),
    bundleSha256: word(attributes["trustabl.policy.bundle_sha256"]),
    contractId:
      present(attributes["trustabl.contract.id"]) ??
      present(attributes["trustabl.contract_id"]) ??
      present(resource["trustabl.contract.id"]) ??
      present(resource["trustabl.contract_id"]) ??
      present(resource["service.name"]),
    contractHash:
      spanContractHash ??
      word(attributes["trustabl.contract_hash"]) ??
      word(resource["trustabl.contract.sha256"]) ??
      word(resource["trustabl.contract_hash"]),
    spanContractHash,
    agentVersion: isThere(attributes["gen_ai.agent.version"]),
    policies: policiesOf(view),
    droppedEvents: view.droppedEvents > 0,
  };
}

// What the status says, and no more: what a result says is content, and ClickHouse may not have it.
function showsFailure({ status, events, attributes }: SpanView): boolean {
  return (
    status === "error" || events.some(({ name }) => name === "exception") || isThere(attributes["error.type"])
  );
}

function policiesOf({ events }: SpanView): readonly BoundPolicy[] {
  let policies: BoundPolicy[] | undefined;
  for (const { name, attributes } of events) {
    if (name !== POLICY_BINDING_EVENT) continue;
    policies ??= [];
    if (policies.length === MAX_POLICIES) break;
    const sha256 = attributes["trustabl.policy.binding.sha256"];
    policies.push({
      id: idOf(attributes["trustabl.policy.binding.id"]),
      type: word(attributes["trustabl.policy.binding.type"]),
      sha256: hasShape({ form: "sha256" }, sha256) ? (sha256 as string) : undefined,
      version: idOf(attributes["trustabl.policy.binding.version"]),
    });
  }
  return policies ?? NO_POLICIES;
}

function countLabels(attributes: AttributeBag): number {
  let count = 0;
  for (const name in attributes) if (name.startsWith("trustabl.")) count += 1;
  return count;
}

const idOf = (value: unknown): string | undefined =>
  hasShape({ form: "id" }, value) ? (value as string) : undefined;

const isThere = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** A word of another producer; what has not the form of one may be content, and is not kept. */
const word = (value: unknown): string | undefined => {
  const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  return typeof text === "string" && WORD.test(text) ? text : undefined;
};

// That something is there counts, also where it may not be repeated.
const present = (value: unknown): string | undefined => word(value) ?? (isThere(value) ? "?" : undefined);
