/**
 * Reading an export in the encoding that it came in.
 *
 * @module
 */
import type { Received, TraceRequest } from "../../otlp-receiver/index.ts";
import { readJsonExport } from "./json-export.ts";
import { readProtobufExport } from "./protobuf-export.ts";
import type { RelayedExport } from "./relayed-export.ts";

/** Reads an export that the receiver could decode. */
export function readExport({ body, contentType }: Received, request: TraceRequest): RelayedExport {
  return contentType === "application/json" ? readJsonExport(body) : readProtobufExport(body, request);
}
