/**
 * An OTLP/HTTP receiver: JSON and protobuf, plain or compressed, on this machine unless told otherwise.
 *
 * It turns bytes into decoded trace exports and answers exporters as OTLP asks. What becomes of the exports is the
 * caller's.
 *
 * @module
 */
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { exchange, type ReceiverHandlers } from "./exchange.ts";
import { listen, stop, watchActivity } from "./lifecycle.ts";
import { createMemoryBudgets } from "./memory-budget.ts";
import { refuseConnection } from "./refuse-connection.ts";

/** Where OTLP/HTTP exporters send to unless told otherwise. */
export const DEFAULT_PORT = 4318;

/** What a client may cost. */
export interface ReceiverLimits {
  /** Longest body in bytes, as sent and decompressed. Default 16 MiB. */
  readonly maxBodyBytes: number;
  /** Bytes of all bodies that are being worked on. Default 128 MiB; more is answered with 503, which exporters retry. */
  readonly maxHeldBytes: number;
  /** Longest time for a request's headers. Default 10,000. */
  readonly headersMilliseconds: number;
  /** Longest time for a whole request. Default 30,000. */
  readonly requestMilliseconds: number;
  readonly maxConnections: number;
}

/** Options of {@link startOtlpReceiver}. */
export interface ReceiverOptions extends ReceiverHandlers {
  /** Default 127.0.0.1. Another address lets other machines send, without any authentication. */
  readonly host?: string | undefined;
  /** Default 4318; 0 chooses a free one. */
  readonly port?: number | undefined;
  /** Stands before `/v1/traces` and the others, such as `/a1b2`. Nothing is received at other paths. Default: none. */
  readonly pathPrefix?: string | undefined;
  readonly limits?: Partial<ReceiverLimits> | undefined;
}

/** A receiver that is listening. */
export interface OtlpReceiver {
  /** What `OTEL_EXPORTER_OTLP_ENDPOINT` has to be, such as `http://127.0.0.1:4318`. */
  readonly url: string;
  readonly port: number;
  /** Takes in what has been sent by now, then stops. Can be called more than once. */
  close(): Promise<void>;
}

const DEFAULT_LIMITS: ReceiverLimits = {
  maxBodyBytes: 16 * 1024 * 1024,
  maxHeldBytes: 128 * 1024 * 1024,
  headersMilliseconds: 10_000,
  requestMilliseconds: 30_000,
  maxConnections: 1_000,
};

/**
 * Starts a receiver.
 *
 * @throws {ReceiverError} when it cannot listen
 */
export async function startOtlpReceiver(options: ReceiverOptions): Promise<OtlpReceiver> {
  const { host = "127.0.0.1", pathPrefix = "" } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const settings = {
    handlers: options,
    pathPrefix,
    maxBodyBytes: limits.maxBodyBytes,
    newBudget: createMemoryBudgets(limits.maxHeldBytes),
  };
  const server = createServer(
    {
      headersTimeout: limits.headersMilliseconds,
      requestTimeout: limits.requestMilliseconds,
      connectionsCheckingInterval: Math.min(1_000, limits.headersMilliseconds),
    },
    (request, response) => void exchange(request, response, settings),
  );
  server.maxConnections = limits.maxConnections;
  server.on("clientError", (error, socket) => {
    const refusal = refuseConnection(error, socket as Socket);
    if (refusal !== undefined) options.onRefused?.(refusal);
  });
  const activity = watchActivity(server);
  const port = await listen(server, host, options.port ?? DEFAULT_PORT);
  let closed: Promise<void> | undefined;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}${pathPrefix}`,
    port,
    close: () => {
      closed ??= activity.quiet().then(() => stop(server));
      return closed;
    },
  };
}
