/**
 * Additions as OTLP JSON.
 *
 * @module
 */
import type { AddedEvent, Additions, LabelValue } from "./additions.ts";

/** Members of a span's `attributes`, separated by commas; empty when there are none. */
export const jsonAttributes = ({ attributes }: Additions): string => members(keyValues(attributes));

/** Members of a span's `events`. */
export const jsonEvents = ({ events }: Additions): string => members(events.map(jsonEvent));

const members = (list: readonly object[]): string => list.map((member) => JSON.stringify(member)).join(",");

// 64-bit numbers are decimal text in OTLP JSON.
const jsonEvent = ({ name, timeUnixNano, attributes }: AddedEvent): object => ({
  timeUnixNano: String(timeUnixNano),
  name,
  attributes: keyValues(attributes),
});

const keyValues = (attributes: Additions["attributes"]): object[] =>
  attributes.map(([key, value]) => ({ key, value: anyValue(value) }));

function anyValue(value: LabelValue): object {
  switch (typeof value) {
    case "string":
      return { stringValue: value };
    case "boolean":
      return { boolValue: value };
    case "number":
      if (Number.isSafeInteger(value)) return { intValue: String(value) };
      // JSON has no such numbers; protobuf's JSON writes them as text.
      return { doubleValue: Number.isFinite(value) ? value : String(value) };
    default:
      return { arrayValue: { values: value.map(anyValue) } };
  }
}
