/**
 * The `trustabl.*` names of a span, sorted into those that the registry knows and the rest.
 *
 * @module
 */
import { SPAN_ATTRIBUTES, type SpanAttributeName } from "../../attributes/registry.ts";
import { hasShape } from "../../attributes/shapes.ts";
import type { AttributeBag } from "../span-view.ts";

/** What every name of the contract begins with. */
export const PREFIX = "trustabl.";

/** The labels of a span: the value, or `null` where the name is there and the value has not its form. */
export type ReadLabels = { [Name in SpanAttributeName]?: string | number | null };

/** Every `trustabl.*` name of a span. */
export interface SpanLabels {
  /** Missing when the registry knows none of the names. */
  readonly known: ReadLabels | undefined;
  /** Names that the registry does not know. */
  readonly unknown: readonly string[];
}

/** The names of a span that begin with `trustabl.` and have a value; OTLP's empty value is none. */
export function labelNames(attributes: AttributeBag): readonly string[] {
  let names: string[] | undefined;
  for (const name in attributes) {
    // 116 is "t": nearly every attribute is told apart by its first character.
    if (name.charCodeAt(0) !== 116 || !name.startsWith(PREFIX)) continue;
    if (attributes[name] === null || attributes[name] === undefined) continue;
    names ??= [];
    names.push(name);
  }
  return names ?? NO_NAMES;
}

const NO_NAMES: readonly string[] = Object.freeze([]);

/** Sorts the names; `undefined` when there is none. */
export function readLabels(attributes: AttributeBag, names: readonly string[]): SpanLabels | undefined {
  if (names.length === 0) return undefined;
  let known: ReadLabels | undefined;
  let unknown: string[] | undefined;
  for (const name of names) {
    const value = attributes[name];
    if (isLabelName(name)) {
      known ??= {};
      known[name] = hasShape(SPAN_ATTRIBUTES[name].shape, value) ? (value as string | number) : null;
    } else {
      unknown ??= [];
      unknown.push(name);
    }
  }
  return { known, unknown: unknown ?? NO_NAMES };
}

const isLabelName = (name: string): name is SpanAttributeName => Object.hasOwn(SPAN_ATTRIBUTES, name);

const OTHER_PRODUCERS = new Set([
  "trustabl.contract_id",
  "trustabl.contract_hash",
  "trustabl.contract.id",
  "trustabl.contract.sha256",
  "trustabl.agent.id",
  "trustabl.bind.method",
  "trustabl.verdict",
  "trustabl.policy.bundle_id",
  "trustabl.policy.bundle_sha256",
]);

/** True for names that share the prefix and that other programs write: they are none of ours to judge. */
export function belongsToOtherProducer(name: string): boolean {
  return OTHER_PRODUCERS.has(name) || name.startsWith("trustabl.constraint.");
}
