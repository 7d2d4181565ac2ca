/**
 * Looking on at an object of the SDK: its own methods are set on that one object, never on its class, so that nobody else's
 * client or server is touched.
 *
 * @module
 */
import { report } from "../../labels/diagnostics.ts";
import { type CallObserver, observeResult } from "../../tool/observe-result.ts";

type Method = (...parameters: unknown[]) => unknown;

/** A transport, as far as it is looked at. */
export interface Transport {
  send?: unknown;
  onmessage?: unknown;
  onclose?: unknown;
}

/**
 * Replaces a method of one object. `around` gets the method as it is at the time of the call: an instrumentation may patch
 * the class later.
 *
 * @throws TypeError when the object has no such method, or is frozen
 */
export function hookMethod(
  owner: object,
  name: string,
  around: (call: (parameters: unknown[]) => unknown, parameters: unknown[]) => unknown,
): void {
  const own: unknown = Object.getOwnPropertyDescriptor(owner, name)?.value;
  const method = (): Method =>
    (own ?? Reflect.get(Object.getPrototypeOf(owner) as object, name, owner)) as Method;
  if (typeof method() !== "function") throw new TypeError(`expected an object with a method "${name}"`);
  Object.defineProperty(owner, name, {
    configurable: true,
    enumerable: false,
    writable: true,
    value(this: unknown, ...parameters: unknown[]) {
      return around((given) => Reflect.apply(method(), this, given), parameters);
    },
  });
}

/** Hears what a transport's callback is told, before anybody else. */
export function hookCallback(
  transport: Transport,
  name: "onmessage" | "onclose",
  hear: (parameter: unknown) => void,
): void {
  const next = transport[name];
  transport[name] = (...parameters: unknown[]) => {
    safely(() => hear(parameters[0]));
    if (typeof next === "function") Reflect.apply(next, transport, parameters);
  };
}

/** Calls, and tells how the call ended. */
export function observed(observer: CallObserver, call: () => unknown): unknown {
  let result: unknown;
  try {
    result = call();
  } catch (error) {
    observer.failed(error);
    throw error;
  }
  return observeResult(result, observer);
}

/** What looks on must not break what it looks at. */
export function safely<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    report(
      "mcp",
      "",
      () => "a message of an MCP connection could not be followed; its labels may be missing",
    );
    return undefined;
  }
}
