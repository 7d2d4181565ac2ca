/**
 * What is shown of a span to those who decide its labels.
 *
 * @module
 */
import { readAttributes } from "../../verify/read/otlp-attributes.ts";
import { readSpanId } from "../../verify/read/span-ids.ts";
import type { AttributeBag } from "../../verify/span-view.ts";
import type { RelayedAttributes, RelayedValue } from "../relayed-span.ts";
import type { FoundSpan } from "./relayed-export.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What a span inherits from the groups around it. */
export interface FoundGroup {
  readonly scope: string;
  readonly resource: RelayedAttributes;
}

/** The span, or `undefined` without usable ids: such a span cannot be told from another. */
export function foundSpan(fields: Fields, group: FoundGroup): FoundSpan | undefined {
  const traceId = readSpanId(fields.traceId ?? fields.trace_id, 16);
  const spanId = readSpanId(fields.spanId ?? fields.span_id, 8);
  if (traceId === undefined || spanId === undefined) return undefined;
  const present = readAttributes(fields.attributes);
  const parentSpanId = readSpanId(fields.parentSpanId ?? fields.parent_span_id, 8);
  const name = typeof fields.name === "string" ? fields.name : "";
  return {
    span: { traceId, spanId, parentSpanId, name, ...group, attributes: shown(present) },
    present,
  };
}

/** The group's own facts, from its `scope` or `resource` member. */
export const scopeName = (scope: unknown): string => {
  const name = (scope as Fields | null | undefined)?.name;
  return typeof name === "string" ? name : "";
};

/** Attributes of a resource. */
export const resourceAttributes = (resource: unknown): RelayedAttributes =>
  shown(readAttributes((resource as Fields | null | undefined)?.attributes));

function shown(bag: AttributeBag): RelayedAttributes {
  const attributes: Record<string, RelayedValue> = Object.create(null);
  for (const name in bag) {
    const value = shownValue(bag[name]);
    if (value !== undefined) attributes[name] = value;
  }
  return attributes;
}

function shownValue(value: unknown): RelayedValue | undefined {
  if (!Array.isArray(value)) return scalar(value);
  const members = value.map(scalar);
  return members.includes(undefined) ? undefined : (members as (string | number | boolean)[]);
}

function scalar(value: unknown): string | number | boolean | undefined {
  if (typeof value === "bigint") return String(value);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : undefined;
}
