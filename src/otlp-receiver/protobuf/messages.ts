/**
 * The messages of an OTLP trace export, as data: the public field numbers of `trace_service.proto`, `trace.proto`,
 * `resource.proto` and `common.proto` (opentelemetry-proto 1.x), with the names that OTLP JSON gives the fields.
 *
 * @module
 */

/**
 * How a value is read, and what it becomes. 64-bit numbers become decimal text and ids hexadecimal, as in OTLP JSON.
 */
export type Scalar =
  | "text"
  | "bytes"
  | "id"
  | "flag"
  | "int64"
  | "uint32"
  | "enumeration"
  | "fixed32"
  | "fixed64"
  | "double";

/** One field of a message. */
export interface Field {
  readonly name: string;
  readonly type: Scalar | MessageName;
  readonly repeated: boolean;
}

/** One message. */
export interface Message {
  /** By field number. */
  readonly fields: Readonly<Record<number, Field>>;
  /** At most one field holds a value: the last that was written. */
  readonly oneOf?: true;
}

/** The name of a message. */
export type MessageName =
  | "ExportTraceServiceRequest"
  | "ResourceSpans"
  | "Resource"
  | "ScopeSpans"
  | "InstrumentationScope"
  | "Span"
  | "Event"
  | "Link"
  | "Status"
  | "KeyValue"
  | "AnyValue"
  | "ArrayValue"
  | "KeyValueList";

const one = (name: string, type: Scalar | MessageName): Field => ({ name, type, repeated: false });
const many = (name: string, type: MessageName): Field => ({ name, type, repeated: true });

/** Every message of a trace export. Fields that are not here are skipped, as protobuf asks. */
export const MESSAGES: Readonly<Record<MessageName, Message>> = {
  ExportTraceServiceRequest: {
    fields: { 1: many("resourceSpans", "ResourceSpans") },
  },
  ResourceSpans: {
    fields: {
      1: one("resource", "Resource"),
      2: many("scopeSpans", "ScopeSpans"),
      3: one("schemaUrl", "text"),
    },
  },
  Resource: {
    fields: { 1: many("attributes", "KeyValue"), 2: one("droppedAttributesCount", "uint32") },
  },
  ScopeSpans: {
    fields: {
      1: one("scope", "InstrumentationScope"),
      2: many("spans", "Span"),
      3: one("schemaUrl", "text"),
    },
  },
  InstrumentationScope: {
    fields: {
      1: one("name", "text"),
      2: one("version", "text"),
      3: many("attributes", "KeyValue"),
      4: one("droppedAttributesCount", "uint32"),
    },
  },
  Span: {
    fields: {
      1: one("traceId", "id"),
      2: one("spanId", "id"),
      3: one("traceState", "text"),
      4: one("parentSpanId", "id"),
      5: one("name", "text"),
      6: one("kind", "enumeration"),
      7: one("startTimeUnixNano", "fixed64"),
      8: one("endTimeUnixNano", "fixed64"),
      9: many("attributes", "KeyValue"),
      10: one("droppedAttributesCount", "uint32"),
      11: many("events", "Event"),
      12: one("droppedEventsCount", "uint32"),
      13: many("links", "Link"),
      14: one("droppedLinksCount", "uint32"),
      15: one("status", "Status"),
      16: one("flags", "fixed32"),
    },
  },
  Event: {
    fields: {
      1: one("timeUnixNano", "fixed64"),
      2: one("name", "text"),
      3: many("attributes", "KeyValue"),
      4: one("droppedAttributesCount", "uint32"),
    },
  },
  Link: {
    fields: {
      1: one("traceId", "id"),
      2: one("spanId", "id"),
      3: one("traceState", "text"),
      4: many("attributes", "KeyValue"),
      5: one("droppedAttributesCount", "uint32"),
      6: one("flags", "fixed32"),
    },
  },
  Status: {
    fields: { 2: one("message", "text"), 3: one("code", "enumeration") },
  },
  KeyValue: {
    fields: { 1: one("key", "text"), 2: one("value", "AnyValue") },
  },
  AnyValue: {
    fields: {
      1: one("stringValue", "text"),
      2: one("boolValue", "flag"),
      3: one("intValue", "int64"),
      4: one("doubleValue", "double"),
      5: one("arrayValue", "ArrayValue"),
      6: one("kvlistValue", "KeyValueList"),
      7: one("bytesValue", "bytes"),
    },
    oneOf: true,
  },
  ArrayValue: {
    fields: { 1: many("values", "AnyValue") },
  },
  KeyValueList: {
    fields: { 1: many("values", "KeyValue") },
  },
};
