/**
 * Why a request was not taken in: one row per reason, with the HTTP status that OTLP asks for and the `google.rpc`
 * code that goes into the answer's body.
 *
 * @module
 */
import { TrustablError } from "../errors.ts";

interface RefusalRow {
  readonly status: number;
  /** A number of `google.rpc.Code`. */
  readonly rpcCode: number;
  /** For the developer whose exporter was refused: what to change. */
  readonly message: string;
}

const REFUSALS = {
  bad_path: {
    status: 404,
    rpcCode: 5,
    message:
      "nothing is received at this path: OTLP/HTTP traces go to /v1/traces (an exporter that is given a whole url needs the path in it)",
  },
  bad_method: { status: 405, rpcCode: 12, message: "OTLP/HTTP exports are sent with POST" },
  bad_content_type: {
    status: 415,
    rpcCode: 3,
    message:
      "the content type is neither application/json nor application/x-protobuf: set OTEL_EXPORTER_OTLP_PROTOCOL to http/protobuf or http/json",
  },
  bad_content_encoding: {
    status: 415,
    rpcCode: 3,
    message: "the content encoding is neither gzip nor deflate",
  },
  bad_compression: { status: 400, rpcCode: 3, message: "the body is not what its content encoding says" },
  bad_json: { status: 400, rpcCode: 3, message: "the body is not JSON" },
  bad_protobuf: { status: 400, rpcCode: 3, message: "the body is not a protobuf message" },
  not_a_trace_request: {
    status: 400,
    rpcCode: 3,
    message: "the body is no trace export: an object with an array resourceSpans is expected",
  },
  too_large: {
    status: 413,
    rpcCode: 8,
    message: "the body is larger than the limit: send smaller batches (OTEL_BSP_MAX_EXPORT_BATCH_SIZE)",
  },
  overloaded: { status: 503, rpcCode: 14, message: "too much is being received at the same time: try again" },
  nowhere_to_go: {
    status: 404,
    rpcCode: 5,
    message:
      "this relay was not told where exports of this signal go: give it the base URL (endpoint), or switch the signal off",
  },
  loop: {
    status: 400,
    rpcCode: 9,
    message: "this relay sent the export itself: its endpoint leads back to it",
  },
  failed: { status: 500, rpcCode: 13, message: "the export was read and could not be taken in" },
  cut_off: {
    status: 408,
    rpcCode: 4,
    message: "a client stopped in the middle of an export, or took too long to send it",
  },
  bad_http: { status: 400, rpcCode: 3, message: "what a client sent is not HTTP" },
  grpc: {
    status: 400,
    rpcCode: 12,
    message:
      "a client spoke gRPC, and only OTLP/HTTP is received: set OTEL_EXPORTER_OTLP_PROTOCOL to http/protobuf",
  },
  tls: { status: 400, rpcCode: 12, message: "a client spoke TLS: use http:// in the endpoint, not https://" },
} as const satisfies Record<string, RefusalRow>;

/** Why a request was not taken in. */
export type RefusalCode = keyof typeof REFUSALS;

/** A request that was not taken in. Holds nothing of what the client sent. */
export class Refusal extends TrustablError<RefusalCode> {
  /** HTTP status of the answer. */
  readonly status: number;
  /** The number of `google.rpc.Code` in the answer's body. */
  readonly rpcCode: number;

  constructor(code: RefusalCode) {
    const { status, rpcCode, message } = REFUSALS[code];
    super(code, message);
    this.status = status;
    this.rpcCode = rpcCode;
  }
}
