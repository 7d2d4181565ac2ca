/**
 * Starting to listen, and stopping without losing what was sent before.
 *
 * @module
 */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { receiverErrorOf } from "./receiver-error.ts";

// A program that just ended may have left its last export in the connection's buffers.
const QUIET_MILLISECONDS = 100;
const LONGEST_WAIT_MILLISECONDS = 5_000;

/** Listens, and returns the port. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen({ host, port });
  try {
    await once(server, "listening");
  } catch (error) {
    throw receiverErrorOf(error as NodeJS.ErrnoException, host, port);
  }
  return (server.address() as AddressInfo).port;
}

/** Knows whether anything is being received. */
export interface Activity {
  /** Resolves when nothing has been received for a moment, or after five seconds. */
  quiet(): Promise<void>;
}

/** Watches a server's connections and requests. */
export function watchActivity(server: Server): Activity {
  let open = 0;
  let last = 0;
  const touch = (): void => {
    last = performance.now();
  };
  server.on("connection", touch);
  server.on("request", (_request, response) => {
    touch();
    open += 1;
    response.once("close", () => {
      touch();
      open -= 1;
    });
  });
  return {
    async quiet() {
      touch();
      const giveUp = last + LONGEST_WAIT_MILLISECONDS;
      while (performance.now() < giveUp) {
        if (open === 0 && performance.now() - last >= QUIET_MILLISECONDS) return;
        await sleep(QUIET_MILLISECONDS / 4);
      }
    },
  };
}

/** Stops listening and ends every connection. */
export async function stop(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
