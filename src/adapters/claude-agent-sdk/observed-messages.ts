/**
 * Seeing the messages of a query on their way to whoever reads them. The query stays what it is: its other methods
 * (`interrupt`, `setModel`, `close`) are its own.
 *
 * @module
 */
import type { SdkMessage } from "./sdk-types.ts";

/** Is told what is read. No method throws. */
export interface MessageObserver {
  message(message: SdkMessage): void;
  /** Nothing more will be read: the query ended, failed, or was left. */
  end(): void;
}

/** The query, with `observer` told of what is read from it. */
export function observeMessages<Query>(query: Query, observer: MessageObserver): Query {
  if (typeof query !== "object" || query === null) return query;
  const proxy: Query & object = new Proxy(query, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      // Generators keep private state: a method that is called on a proxy does not find it.
      const call = (parameters: unknown[]): unknown => Reflect.apply(value, target, parameters);
      switch (property) {
        case Symbol.asyncIterator:
          return (...parameters: unknown[]) => {
            const iterator = call(parameters);
            return iterator === target ? proxy : observeMessages(iterator, observer);
          };
        case "next":
          return (...parameters: unknown[]) => observeStep(call(parameters), observer);
        case "return":
        case "throw":
        case "close":
        case Symbol.asyncDispose:
          return (...parameters: unknown[]) => {
            observer.end();
            return call(parameters);
          };
        case "constructor":
          return value;
        default:
          return (...parameters: unknown[]) => call(parameters);
      }
    },
  });
  return proxy;
}

function observeStep(step: unknown, observer: MessageObserver): unknown {
  if (!(step instanceof Promise)) return step;
  return step.then(
    (result: IteratorResult<SdkMessage>) => {
      if (result?.done === true) observer.end();
      else observer.message(result?.value);
      return result;
    },
    (error: unknown) => {
      observer.end();
      throw error;
    },
  );
}
