/**
 * Texts that turn up nowhere by chance, to plant where content goes in.
 *
 * @module
 */

/** Where a text is meant to be planted. */
export type CanaryPlace = "argument" | "result" | "error";

/** One text for each place where content can come from. */
export type Canary = { readonly [Place in CanaryPlace]: string };

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 24;

/**
 * Makes three texts that turn up nowhere by chance: put them into arguments, results and error messages, run the
 * agent, and search with {@link RecordedTraces.assertNoLeak}. Letters and digits only, so that they survive wherever
 * a name, an address or a file name would.
 *
 * @example
 * ```ts
 * import { plantCanary, recordTraces } from "agent-reliability-otel-labels/testing";
 *
 * declare function bookFlight(passenger: string): Promise<void>;
 * await using traces = recordTraces();
 * const canary = plantCanary();
 * await bookFlight(canary.argument);
 * await traces.assertNoLeak(canary);
 * ```
 */
export function plantCanary(): Canary {
  return {
    argument: `canaryArgument${randomText()}`,
    result: `canaryResult${randomText()}`,
    error: `canaryError${randomText()}`,
  };
}

/** The random part: what is searched for, since the rest may be cut off or changed. */
export const coreOf = (text: string): string => text.slice(-LENGTH);

// The remainder favours some letters a little, which does not matter here.
function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(LENGTH)), (byte) => ALPHABET[byte % 62]).join("");
}
