/**
 * What a function returned: a value, something to wait for, or a stream. Results belong to others, so looking at one
 * must not throw.
 *
 * @module
 */

/** True for a promise, and for anything else that `await` would wait for. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  try {
    return isObject(value) && typeof (value as { then?: unknown }).then === "function";
  } catch {
    return false;
  }
}

/** True for what `for await` reads, by its own protocol: async generators, Node.js and web streams. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  try {
    return (
      isObject(value) &&
      typeof (value as { [Symbol.asyncIterator]?: unknown })[Symbol.asyncIterator] === "function"
    );
  } catch {
    return false;
  }
}

// What every generator inherits from, whatever function made it. A class that only has a generator's methods is none.
const GENERATORS: readonly object[] = [
  Object.getPrototypeOf(function* () {}.prototype),
  Object.getPrototypeOf(async function* () {}.prototype),
];

/** True for what a generator function returned: its body has not run yet. */
export function isGenerator(value: unknown): value is object {
  try {
    return (
      isObject(value) && GENERATORS.some((generator) => Object.prototype.isPrototypeOf.call(generator, value))
    );
  } catch {
    return false;
  }
}

/**
 * True for a stream, and for the result of a framework that holds one: the AI SDK's `streamText()` and agents' `stream()`.
 * Their members are looked for, not read: reading one starts to consume.
 */
export function holdsStream(value: unknown): boolean {
  try {
    return isAsyncIterable(value) || (isObject(value) && "textStream" in value && "fullStream" in value);
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
