/**
 * Learning how a tool call ended without changing what the caller gets: a value stays that value, a promise stays a
 * promise of the same value, a stream stays that stream.
 *
 * A plain function must stay plain. An `async` wrapper would turn a tool that returns an async iterable into a promise of
 * one, which frameworks then read as an empty result, without an error.
 *
 * @module
 */
import { stayInRun } from "../run/generator-steps.ts";
import { isAsyncIterable, isGenerator, isThenable } from "../run/result-kind.ts";

/** Is told once how a call ended. No method throws. */
export interface CallObserver {
  returned(result: unknown): void;
  failed(error: unknown): void;
  /** How the call ends cannot be seen. */
  unobservable(): void;
}

/** Tells `observer` how the call ends that returned `result`, and gives back what the caller is to get. */
export function observeResult<Result>(result: Result, observer: CallObserver): Result {
  if (isPlainPromise(result)) return observePromise(result, observer) as Result;
  const thenable = isThenable(result);
  const stream = isAsyncIterable(result);
  if (thenable || stream) return observeLazily(stayInRun(result) as Result & object, observer);
  observer.returned(result);
  return result;
}

// The common case gets the common treatment. A derived promise, rather than a second branch beside the original: that
// branch would count as handling a rejection, and an error that nobody else handles would vanish.
function isPlainPromise(value: unknown): value is Promise<unknown> {
  try {
    if (!(value instanceof Promise) || Object.getPrototypeOf(value) !== Promise.prototype) return false;
    const own = Reflect.ownKeys(value);
    if (own.length === 0) return true;
    // Before Node.js 24 a context manager leaves marks on every promise, so that they say nothing about this one.
    const fresh = Promise.resolve();
    return own.every((key) => Object.hasOwn(fresh, key));
  } catch {
    return false;
  }
}

function observePromise(promise: Promise<unknown>, observer: CallObserver): Promise<unknown> {
  return promise.then(
    (value) => {
      // A generator that was waited for has not begun. Other streams may run already, and come out as they are.
      if (isGenerator(value) && isAsyncIterable(value)) return observeLazily(stayInRun(value), observer);
      observer.returned(value);
      return value;
    },
    (error: unknown) => {
      observer.failed(error);
      throw error;
    },
  );
}

/**
 * Everything else that settles later: query builders that run when they are awaited, promises with methods of their own,
 * generators, streams. A proxy changes only the ways in which a result is consumed; laziness, methods and type stay.
 */
function observeLazily<Result extends object>(result: Result, observer: CallObserver): Result {
  if (isFixed(result, "then") || isFixed(result, Symbol.asyncIterator) || isFixed(result, "next")) {
    observer.unobservable();
    return result;
  }
  const once = tellOnce(observer);
  // A generator's methods and its iterator are the same object, and have to agree on the last value.
  const steps = observeSteps(once);
  const proxy: Result = new Proxy(result, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      const call = (parameters: unknown[]): unknown => Reflect.apply(value, target, parameters);
      switch (property) {
        case "then":
          return (onValue?: unknown, onError?: unknown) => call(observeThen(once, onValue, onError));
        case "catch":
        case "finally":
          // Both are defined by `then`, and go through the one above when called on the proxy.
          return value;
        case Symbol.asyncIterator:
          return (...parameters: unknown[]) => {
            const iterator = call(parameters) as AsyncIterator<unknown>;
            return (iterator as unknown) === target ? proxy : observeIterator(iterator, steps);
          };
        default:
          return isStep(property) && isAsyncIterable(target)
            ? (...parameters: unknown[]) => steps.observe(property, call(parameters))
            : method(target, property, value);
      }
    },
  });
  return proxy;
}

/** A member that a proxy has to show as it is. */
function isFixed(target: object, property: string | symbol): boolean {
  const own = Reflect.getOwnPropertyDescriptor(target, property);
  return own !== undefined && own.configurable === false;
}

type Step = "next" | "return" | "throw";
const isStep = (property: string | symbol): property is Step =>
  property === "next" || property === "return" || property === "throw";

// Inherited methods run on the target itself: private fields and internal slots are not reachable through a proxy. Own
// functions are data and keep their identity.
function method(target: object, property: string | symbol, value: object): unknown {
  if (property === "constructor" || Object.hasOwn(target, property)) return value;
  return (...parameters: unknown[]) => Reflect.apply(value as () => unknown, target, parameters);
}

function observeThen(observer: CallObserver, onValue: unknown, onError: unknown): [unknown, unknown] {
  return [
    (value: unknown) => {
      observer.returned(value);
      return typeof onValue === "function" ? onValue(value) : value;
    },
    (error: unknown) => {
      observer.failed(error);
      if (typeof onError === "function") return onError(error);
      throw error;
    },
  ];
}

interface Steps {
  /** Watches one step of an async iterator and gives it back. */
  observe(step: Step, outcome: unknown): unknown;
}

// The last value yielded is the result, also when the consumer stops early. The step's own promise is handed on with
// our reaction in front of the caller's.
function observeSteps(observer: CallObserver): Steps {
  let last: unknown;
  const settled = (step: Step, outcome: unknown) => {
    try {
      const { done, value } = outcome as IteratorResult<unknown>;
      if (done === true || step === "return") observer.returned(last);
      else last = value;
    } catch {
      // What is no iterator result is the consumer's to complain about.
    }
  };
  return {
    observe(step, outcome) {
      if (!isThenable(outcome)) {
        settled(step, outcome);
        return outcome;
      }
      return outcome.then(
        (value) => {
          settled(step, value);
          return value;
        },
        (error: unknown) => {
          observer.failed(error);
          throw error;
        },
      );
    },
  };
}

function observeIterator(iterator: AsyncIterator<unknown>, steps: Steps): AsyncIterator<unknown> {
  return new Proxy(iterator, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      return isStep(property)
        ? (...parameters: unknown[]) => steps.observe(property, Reflect.apply(value, target, parameters))
        : method(target, property, value);
    },
  });
}

function tellOnce(observer: CallObserver): CallObserver {
  let told = false;
  const tell = (how: () => void) => {
    if (told) return;
    told = true;
    how();
  };
  return {
    returned: (result) => tell(() => observer.returned(result)),
    failed: (error) => tell(() => observer.failed(error)),
    unobservable: () => tell(() => observer.unobservable()),
  };
}
