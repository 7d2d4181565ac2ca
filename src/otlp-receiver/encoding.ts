/**
 * The two encodings of OTLP/HTTP: reading a request, and writing the answer in the encoding of the request.
 *
 * @module
 */
import { decodeTraceRequest } from "./protobuf/decode.ts";
import { encodeMessage } from "./protobuf/wire-writer.ts";
import { Refusal } from "./refusal.ts";

/** A decoded trace export: `ExportTraceServiceRequest` in the form of OTLP JSON, whichever encoding it came in. */
export type TraceRequest = Readonly<Record<string, unknown>>;

/** What an export is written in. */
export type ContentType = "application/json" | "application/x-protobuf";

/** What was not accepted of an export that was read; nothing stands for everything was. */
export interface Rejected {
  /** Spans that were there and were not taken. */
  readonly spans: number;
  /** For the developer who reads the exporter's log. */
  readonly message: string;
}

/** One encoding. */
export interface Encoding {
  readonly contentType: ContentType;
  /** @throws {Refusal} */
  decode(body: Uint8Array): TraceRequest;
  /** `ExportTraceServiceResponse`. */
  accepted(rejected: Rejected | undefined): Uint8Array;
  /** `google.rpc.Status`. */
  refused(refusal: Refusal): Uint8Array;
}

const jsonText = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** OTLP JSON. */
export const JSON_ENCODING: Encoding = {
  contentType: "application/json",
  decode(body) {
    let value: unknown;
    try {
      value = JSON.parse(new TextDecoder().decode(body));
    } catch {
      throw new Refusal("bad_json");
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new Refusal("not_a_trace_request");
    }
    const request = value as TraceRequest;
    // Protobuf's JSON may be written with either spelling of a name, and a list that is empty may be missing.
    const spans = request.resourceSpans ?? request.resource_spans ?? [];
    if (!Array.isArray(spans)) throw new Refusal("not_a_trace_request");
    return request;
  },
  // OTLP: on full success the server leaves partial_success unset.
  accepted: (rejected) =>
    jsonText(
      rejected === undefined
        ? {}
        : { partialSuccess: { rejectedSpans: String(rejected.spans), errorMessage: rejected.message } },
    ),
  refused: ({ rpcCode, message }) => jsonText({ code: rpcCode, message }),
};

/** OTLP protobuf, the default of most SDKs. */
const PROTOBUF_ENCODING: Encoding = {
  contentType: "application/x-protobuf",
  decode(body) {
    try {
      return decodeTraceRequest(body);
    } catch {
      throw new Refusal("bad_protobuf");
    }
  },
  accepted: (rejected) =>
    encodeMessage({
      1: rejected && encodeMessage({ 1: rejected.spans, 2: rejected.message }),
    }),
  refused: ({ rpcCode, message }) => encodeMessage({ 1: rpcCode, 2: message }),
};

/** The encoding that a `content-type` header names, or `undefined`. */
export function encodingOf(contentType: string | undefined): Encoding | undefined {
  const mediaType = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  return [JSON_ENCODING, PROTOBUF_ENCODING].find((encoding) => encoding.contentType === mediaType);
}
