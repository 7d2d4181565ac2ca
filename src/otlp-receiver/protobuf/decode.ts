/**
 * A protobuf message as the JSON value that OTLP JSON has for it, so that one reader of spans serves both.
 *
 * @module
 */
import { type Field, MESSAGES, type MessageName, type Scalar } from "./messages.ts";
import { ProtobufError } from "./protobuf-error.ts";
import { WIRE_TYPE, WireReader } from "./wire-reader.ts";

/** A message's fields by their OTLP JSON names. */
export type JsonFields = Record<string, unknown>;

/** The same bound that protobuf's own parsers have. */
const MAX_DEPTH = 100;
// An empty message costs two bytes on the wire and fifty in memory. Real exports of 16 MiB hold about half as many.
const MAX_MESSAGES = 1_000_000;

/**
 * The body of a trace export.
 *
 * Unknown fields are skipped. A field of another wire type than its own counts as unknown, as in protobuf's own
 * parsers; text that is not UTF-8 is read with replacement characters, so that one bad text costs no span.
 *
 * @throws {ProtobufError}
 */
export function decodeTraceRequest(bytes: Uint8Array): JsonFields {
  return new Decoder(bytes).message("ExportTraceServiceRequest");
}

class Decoder {
  readonly #reader: WireReader;
  // Buffer's own decoding is several times as fast as a TextDecoder on texts as short as these.
  readonly #buffer: Buffer;
  #messages = 0;

  constructor(bytes: Uint8Array) {
    this.#reader = new WireReader(bytes);
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  message(name: MessageName): JsonFields {
    const fields: JsonFields = {};
    this.#read(name, fields, 1);
    return fields;
  }

  #read(name: MessageName, into: JsonFields, depth: number): void {
    const reader = this.#reader;
    this.#messages += 1;
    if (depth > MAX_DEPTH) throw new ProtobufError("too_deep", reader.offset);
    if (this.#messages > MAX_MESSAGES) throw new ProtobufError("too_many", reader.offset);
    const message = MESSAGES[name];
    while (!reader.done) {
      const tag = reader.tag();
      const wireType = tag & 7;
      const field = message.fields[tag >>> 3];
      if (field === undefined || wireType !== wireTypeOf(field.type)) {
        reader.skip(wireType);
        continue;
      }
      if (message.oneOf) keepOnly(into, field.name);
      this.#readField(field, into, depth);
    }
  }

  #readField({ name, type, repeated }: Field, into: JsonFields, depth: number): void {
    if (!isMessage(type)) {
      into[name] = this.#scalar(type);
      return;
    }
    // A message that is there twice is merged, as protobuf asks: it may be sent in parts.
    const fields = repeated ? {} : ((into[name] ?? {}) as JsonFields);
    const around = this.#reader.enter();
    this.#read(type, fields, depth + 1);
    this.#reader.leave(around);
    if (!repeated) into[name] = fields;
    else if (name in into) (into[name] as JsonFields[]).push(fields);
    else into[name] = [fields];
  }

  #scalar(type: Scalar): unknown {
    const reader = this.#reader;
    switch (type) {
      case "text":
        return this.#text("utf8");
      case "bytes":
        return this.#text("base64");
      case "id":
        return this.#text("hex");
      case "flag":
        return reader.varint() !== 0n;
      case "int64":
        return BigInt.asIntN(64, reader.varint()).toString();
      case "uint32":
        return Number(BigInt.asUintN(32, reader.varint()));
      case "enumeration":
        return Number(BigInt.asIntN(32, reader.varint()));
      case "fixed32":
        return reader.fixed32();
      case "fixed64":
        return reader.fixed64().toString();
      case "double":
        return jsonDouble(reader.double());
    }
  }

  #text(encoding: "utf8" | "base64" | "hex"): string {
    const start = this.#reader.delimited();
    return this.#buffer.toString(encoding, start, this.#reader.offset);
  }
}

const isMessage = (type: Scalar | MessageName): type is MessageName => type in MESSAGES;

function wireTypeOf(type: Scalar | MessageName): number {
  switch (type) {
    case "flag":
    case "int64":
    case "uint32":
    case "enumeration":
      return WIRE_TYPE.varint;
    case "fixed32":
      return WIRE_TYPE.fixed32;
    case "fixed64":
    case "double":
      return WIRE_TYPE.fixed64;
    default:
      return WIRE_TYPE.delimited;
  }
}

function keepOnly(fields: JsonFields, name: string): void {
  for (const other in fields) if (other !== name) delete fields[other];
}

// JSON has no such numbers; protobuf's JSON writes them as text.
const jsonDouble = (value: number): number | string => (Number.isFinite(value) ? value : String(value));
