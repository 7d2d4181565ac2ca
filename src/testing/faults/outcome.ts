/**
 * How a call ended, from its caller's side.
 *
 * @module
 */
import { isAsyncIterable, isThenable } from "../../run/result-kind.ts";

/** The ways in which a call can end. A call that returns a promise is not one that returns a value. */
export type Ending = "returned" | "threw" | "resolved" | "rejected" | "streamed" | "failed in its stream";

/** How a call ended, and with what: the values of a stream in their order, otherwise one value. */
export interface Outcome {
  readonly ending: Ending;
  readonly values: readonly unknown[];
}

/** Values read of one stream. */
const MAX_VALUES = 10_000;

/** Calls, waits, and consumes a stream to its end. */
export async function observe(call: () => unknown): Promise<Outcome> {
  let result: unknown;
  try {
    result = call();
  } catch (error) {
    return { ending: "threw", values: [error] };
  }
  if (isThenable(result)) return settle(result);
  return isAsyncIterable(result) ? consume(result) : { ending: "returned", values: [result] };
}

function settle(promise: PromiseLike<unknown>): Promise<Outcome> {
  return new Promise((resolve) => {
    promise.then(
      (value) => resolve({ ending: "resolved", values: [value] }),
      (error: unknown) => resolve({ ending: "rejected", values: [error] }),
    );
  });
}

async function consume(stream: AsyncIterable<unknown>): Promise<Outcome> {
  const values: unknown[] = [];
  try {
    for await (const value of stream) {
      values.push(value);
      if (values.length >= MAX_VALUES) break;
    }
    return { ending: "streamed", values };
  } catch (error) {
    return { ending: "failed in its stream", values: [...values, error] };
  }
}
