/**
 * How a call failed that got no answer.
 *
 * @module
 */

/** The part of an `AbortSignal` that is read. */
export interface Aborting {
  readonly aborted: boolean;
  readonly reason?: unknown;
}

/** The signal in the options of a request: the last parameter in SDK 1, the second or third in SDK 2. */
export function signalOf(parameters: readonly unknown[]): Aborting | undefined {
  for (const options of parameters.slice(1).reverse()) {
    const signal = (options as { signal?: unknown } | null | undefined)?.signal;
    if (typeof (signal as Aborting | undefined)?.aborted === "boolean") return signal as Aborting;
  }
  return undefined;
}

/** Why a client gave up waiting. It tells its server in the same words for both, so the signal decides. */
export function cancellation(signal: Aborting | undefined): unknown {
  return signal?.aborted === true ? signal.reason : timeout();
}

/** What a request was rejected with, where it says less than the signal does. */
export function rejection(error: unknown, signal: Aborting | undefined): unknown {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return code === SDK_1_TIMEOUT || code === SDK_2_TIMEOUT ? cancellation(signal) : error;
}

const SDK_1_TIMEOUT = -32001;
const SDK_2_TIMEOUT = "REQUEST_TIMEOUT";

function timeout(): Error {
  return Object.assign(new Error("the server did not answer in time"), { name: "TimeoutError" });
}
