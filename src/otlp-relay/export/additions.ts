/**
 * What really is added to a span: labels without those that are there already, and without what OTLP cannot hold.
 *
 * @module
 */
import { report, reportLoss } from "../../labels/diagnostics.ts";
import type { AttributeBag } from "../../verify/span-view.ts";
import type { RelayedEvent, RelayedLabels } from "../relayed-span.ts";

/** The value of a label. */
export type LabelValue = string | number | boolean | readonly string[];

/** An event with its attributes in order. */
export interface AddedEvent {
  readonly name: string;
  readonly timeUnixNano: bigint;
  readonly attributes: readonly (readonly [string, LabelValue])[];
}

/** Attributes and events that are surely new and surely valid. */
export interface Additions {
  readonly attributes: readonly (readonly [string, LabelValue])[];
  readonly events: readonly AddedEvent[];
}

const LATEST = 2n ** 64n - 1n;

/** `undefined` when there is nothing to add. Never throws; what is left out is reported. */
export function additionsOf(labels: RelayedLabels, present: AttributeBag): Additions | undefined {
  try {
    const attributes = validEntries(labels.attributes).filter(([name, value]) => isNew(name, value, present));
    const events = labels.events.flatMap(addedEvent);
    return attributes.length + events.length === 0 ? undefined : { attributes, events };
  } catch {
    report(
      "relay-labels",
      "",
      () => "labels for a relayed span are not of the shape that labelsOf may return",
    );
    return undefined;
  }
}

function validEntries(attributes: Readonly<Record<string, unknown>>): (readonly [string, LabelValue])[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    const valid = name === "" ? undefined : validValue(value);
    if (valid !== undefined) return [[name, valid] as const];
    if (value !== undefined)
      reportLoss(name, "relay-value", "its value is of no type that an attribute can have");
    return [];
  });
}

function validValue(value: unknown): LabelValue | undefined {
  switch (typeof value) {
    case "string":
      return value.toWellFormed();
    case "number":
    case "boolean":
      return value;
    default:
      return Array.isArray(value) && value.every((member) => typeof member === "string")
        ? value.map((member: string) => member.toWellFormed())
        : undefined;
  }
}

// Names are unique in OTLP, and what the emitter wrote itself counts.
function isNew(name: string, value: LabelValue, present: AttributeBag): boolean {
  if (!(name in present)) return true;
  if (!isSame(value, present[name])) {
    reportLoss(name, "relay-conflict", "the span came with another value of it, and that is kept");
  }
  return false;
}

function isSame(value: LabelValue, other: unknown): boolean {
  if (typeof value !== "object") return Object.is(value, other);
  return (
    Array.isArray(other) &&
    other.length === value.length &&
    value.every((member, index) => member === other[index])
  );
}

function addedEvent({ name, timeUnixNano, attributes }: RelayedEvent): AddedEvent[] {
  if (typeof timeUnixNano !== "bigint" || timeUnixNano < 0n || timeUnixNano > LATEST) {
    reportLoss(String(name), "relay-event", "the time of the event cannot be written");
    return [];
  }
  return [{ name: name.toWellFormed(), timeUnixNano, attributes: validEntries(attributes) }];
}
