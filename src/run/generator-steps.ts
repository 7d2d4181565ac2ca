/**
 * A generator's body runs when it is read, in the context of whoever reads it. What a function was called with in the
 * context would be gone by then, without a word: so each step is put back into it.
 *
 * Only what this package keeps in the context is put back. The reader's active span stays the active one: where a
 * framework's spans hang is the framework's.
 *
 * @module
 */
import { type Context, context } from "@opentelemetry/api";
import { isGenerator } from "./result-kind.ts";
import { contextWithRun, currentRunScope } from "./run-context.ts";

/** Gives back what a function returned; each step of a generator runs in the context that `enter` makes of the active one. */
export function enterEachStep<Result>(result: Result, enter: (reader: Context) => Context): Result {
  if (!isGenerator(result)) return result;
  return new Proxy(result, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (property !== "next" && property !== "return" && property !== "throw") return value;
      return (...parameters: unknown[]) =>
        context.with(enter(context.active()), () =>
          Reflect.apply(value as () => unknown, target, parameters),
        );
    },
  });
}

/** {@link enterEachStep} with the run that is the current one now. */
export function stayInRun<Result>(result: Result): Result {
  const scope = currentRunScope();
  return scope === undefined ? result : enterEachStep(result, (reader) => contextWithRun(reader, scope));
}
