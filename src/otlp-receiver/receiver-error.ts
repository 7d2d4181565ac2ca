/**
 * Why a receiver could not be started.
 *
 * @module
 */
import { TrustablError } from "../errors.ts";

/** Why a receiver could not be started. */
export type ReceiverErrorCode = "port_in_use" | "port_forbidden" | "address_unavailable" | "cannot_listen";

/** Thrown by `startOtlpReceiver`. */
export class ReceiverError extends TrustablError<ReceiverErrorCode> {}

// A literal, since minifiers change class names; on the prototype, since an own `name` is printed twice.
Object.defineProperty(ReceiverError.prototype, "name", {
  value: "ReceiverError",
  configurable: true,
  writable: true,
});

/** From the error that `listen` gave. */
export function receiverErrorOf(error: NodeJS.ErrnoException, host: string, port: number): ReceiverError {
  const address = `${host}:${port}`;
  switch (error.code) {
    case "EADDRINUSE":
      return new ReceiverError("port_in_use", `another program is using ${address}`);
    case "EACCES":
      return new ReceiverError("port_forbidden", `this user may not listen on ${address}`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new ReceiverError("address_unavailable", `${host} is no address of this machine`);
    default:
      return new ReceiverError(
        "cannot_listen",
        `cannot listen on ${address} (${error.code ?? "no reason given"})`,
      );
  }
}
