/**
 * Why a relay could not be started.
 *
 * @module
 */
import { TrustablError } from "../errors.ts";

/** What was wrong, for people. The codes are the contract. */
const MEANINGS = {
  no_endpoint:
    "a relay needs to know where to forward to: give endpoint or tracesUrl, or set OTEL_EXPORTER_OTLP_ENDPOINT",
  bad_endpoint: "the endpoint is not an http:// or https:// URL",
  grpc_endpoint:
    "the environment says that the endpoint speaks gRPC, and a relay forwards OTLP/HTTP: give endpoint or tracesUrl",
  bad_headers: "a header's name or value cannot be sent in HTTP",
  bad_certificate:
    "a file that OTEL_EXPORTER_OTLP_CERTIFICATE, _CLIENT_CERTIFICATE or _CLIENT_KEY names cannot be read",
  bad_option:
    "labelsOf is a function; holdMilliseconds and maxQueuedBytes are whole numbers, 0 and 1 at the least",
  loop: "the endpoint is the relay itself: give it the endpoint that the sender had before",
} as const;

/** Why a relay could not be started. */
export type RelayErrorCode = keyof typeof MEANINGS;

/** Thrown by `startOtlpRelay`. Holds no URL and no header, since both may hold credentials. */
export class RelayError extends TrustablError<RelayErrorCode> {
  /** Thrown by `startOtlpRelay`. The message follows from the code. */
  constructor(code: RelayErrorCode) {
    super(code, MEANINGS[code]);
  }
}

// A literal, since minifiers change class names; on the prototype, since an own `name` is printed twice.
Object.defineProperty(RelayError.prototype, "name", {
  value: "RelayError",
  configurable: true,
  writable: true,
});
