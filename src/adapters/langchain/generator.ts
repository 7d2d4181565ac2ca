/**
 * A LangChain tool may give an async generator: what it yields are progress events, what it returns is the result.
 *
 * @module
 */
import type { CallObserver } from "../../tool/observe-result.ts";

/** The generator that tells `observer` how it ends, and then settles; `undefined` for every other result. */
export function relayGenerator(
  result: unknown,
  observer: CallObserver,
  settle: () => Promise<void>,
): AsyncGenerator<unknown, unknown, undefined> | undefined {
  return isGenerator(result) ? relay(result, observer, settle) : undefined;
}

async function* relay(
  generator: AsyncGenerator<unknown, unknown, undefined>,
  observer: CallObserver,
  settle: () => Promise<void>,
): AsyncGenerator<unknown, unknown, undefined> {
  try {
    const result = yield* generator;
    observer.returned(result);
    await settle();
    return result;
  } catch (error) {
    observer.failed(error);
    await settle();
    throw error;
  }
}

// LangChain takes anything with a `next` for a generator.
function isGenerator(value: unknown): value is AsyncGenerator<unknown, unknown, undefined> {
  try {
    const { next, [Symbol.asyncIterator]: iterate } = value as Partial<AsyncGenerator>;
    return typeof next === "function" && typeof iterate === "function";
  } catch {
    return false;
  }
}
