/**
 * Additions as fields of the message `Span` of `trace.proto`.
 *
 * @module
 */
import { delimitedField, fixed64Field, varintField } from "../../otlp-receiver/protobuf/wire-writer.ts";
import type { AddedEvent, Additions, LabelValue } from "./additions.ts";

// Field numbers of Span, Event, KeyValue, AnyValue and ArrayValue.
const SPAN = { attributes: 9, events: 11 } as const;
const EVENT = { timeUnixNano: 1, name: 2, attributes: 3 } as const;
const KEY_VALUE = { key: 1, value: 2 } as const;
const ANY_VALUE = { stringValue: 1, boolValue: 2, intValue: 3, doubleValue: 4, arrayValue: 5 } as const;
const ARRAY_VALUE = { values: 1 } as const;

/** Fields that a span's message ends with from now on: members of a repeated field may stand anywhere. */
export function protobufAdditions({ attributes, events }: Additions): Uint8Array {
  return Buffer.concat([
    ...keyValues(SPAN.attributes, attributes),
    ...events.map((event) => delimitedField(SPAN.events, eventMessage(event))),
  ]);
}

const eventMessage = ({ name, timeUnixNano, attributes }: AddedEvent): Uint8Array => {
  const time = Buffer.alloc(8);
  time.writeBigUInt64LE(timeUnixNano);
  return Buffer.concat([
    fixed64Field(EVENT.timeUnixNano, time),
    delimitedField(EVENT.name, Buffer.from(name)),
    ...keyValues(EVENT.attributes, attributes),
  ]);
};

const keyValues = (field: number, attributes: Additions["attributes"]): Uint8Array[] =>
  attributes.map(([key, value]) =>
    delimitedField(
      field,
      Buffer.concat([
        delimitedField(KEY_VALUE.key, Buffer.from(key)),
        delimitedField(KEY_VALUE.value, anyValue(value)),
      ]),
    ),
  );

function anyValue(value: LabelValue): Uint8Array {
  switch (typeof value) {
    case "string":
      return delimitedField(ANY_VALUE.stringValue, Buffer.from(value));
    case "boolean":
      return varintField(ANY_VALUE.boolValue, value ? 1 : 0);
    case "number":
      return Number.isSafeInteger(value) ? varintField(ANY_VALUE.intValue, value) : doubleValue(value);
    default:
      return delimitedField(
        ANY_VALUE.arrayValue,
        Buffer.concat(value.map((member) => delimitedField(ARRAY_VALUE.values, anyValue(member)))),
      );
  }
}

function doubleValue(value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return fixed64Field(ANY_VALUE.doubleValue, bytes);
}
