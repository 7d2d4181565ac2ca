/**
 * Makes a live span of an SDK refuse labels. Everything else about it stays: the framework's own attributes, its status
 * and its end, so that an agent runs as always and only labelling is hurt.
 *
 * @module
 */
import { InjectedFault } from "./injected-fault.ts";

const PREFIX = "trustabl.";

/** The methods that write, and whether their first parameter names or holds a label. */
const WRITERS = {
  setAttribute: (first: unknown) => String(first).startsWith(PREFIX),
  setAttributes: (first: unknown) => Object.keys(first ?? {}).some((name) => name.startsWith(PREFIX)),
  addEvent: (first: unknown) => String(first).startsWith(PREFIX),
} as const;

/** Every write of a `trustabl.*` attribute or event on the span throws from now on, after `onFault` was told. */
export function failLabelWrites(span: object, onFault: () => void): void {
  for (const [method, isLabel] of Object.entries(WRITERS)) {
    const original: unknown = Reflect.get(span, method);
    if (typeof original !== "function") continue;
    Object.defineProperty(span, method, {
      configurable: true,
      writable: true,
      value: (...parameters: unknown[]): unknown => {
        if (isLabel(parameters[0])) {
          onFault();
          throw new InjectedFault();
        }
        return Reflect.apply(original, span, parameters);
      },
    });
  }
}
