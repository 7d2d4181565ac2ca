/**
 * Connections on which no HTTP request can be read. Two mistakes are common enough to be named: an exporter that
 * speaks gRPC, and one that speaks TLS.
 *
 * @module
 */
import type { Socket } from "node:net";
import { Refusal } from "./refusal.ts";

type ClientError = Error & { readonly code?: string; readonly rawPacket?: Buffer };

const TLS_HANDSHAKE = 0x16;
const HTTP_2_PREFACE = "PRI * HTTP/2";

/** Ends the connection. Returns why, where the client's mistake can be told. */
export function refuseConnection(error: ClientError, socket: Socket): Refusal | undefined {
  const timedOut = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  if (socket.writable) {
    socket.end(
      `HTTP/1.1 ${timedOut ? "408 Request Timeout" : "400 Bad Request"}\r\nconnection: close\r\n\r\n`,
    );
  }
  // A client that reads nothing must not keep its end open.
  setTimeout(() => socket.destroy(), 1_000).unref();
  // Anything else is a connection that broke, which the request on it, if there was one, reports itself.
  if (!error.code?.startsWith("HPE_") || error.code === "HPE_INVALID_EOF_STATE") return undefined;
  const start = error.rawPacket;
  if (start?.[0] === TLS_HANDSHAKE) return new Refusal("tls");
  const isHttp2 = start?.subarray(0, HTTP_2_PREFACE.length).toString("latin1") === HTTP_2_PREFACE;
  return new Refusal(isHttp2 ? "grpc" : "bad_http");
}
