/**
 * Reading the options of the label functions: each option once, `null` and `undefined` alike as "not given", and
 * wrong values refused before anything is written.
 *
 * @module
 */
import type { Shape } from "../attributes/registry.ts";
import { describeShape, hasShape } from "../attributes/shapes.ts";
import { reportLoss } from "./diagnostics.ts";

/** Stands for an option that is not there, or that could not be read. */
export const ABSENT: unique symbol = Symbol("absent");

/**
 * Reads one option, once. An option that is not there is {@link ABSENT}; so is one whose getter throws, since
 * nothing that happens while labelling may reach the workload.
 */
export function readOption(options: object, name: string): unknown {
  try {
    return name in options ? (options as Record<string, unknown>)[name] : ABSENT;
  } catch {
    reportLoss(name, "option", "reading the option threw");
    return ABSENT;
  }
}

/** Reads one option whose value has a form, and refuses any other value. `undefined` means not given. */
export function readShaped(options: object, name: string, shape: Shape): unknown {
  const value = readOption(options, name);
  if (value === ABSENT || value === undefined || value === null) return undefined;
  requireShape(name, shape, value);
  return value;
}

/** Throws a `RangeError` that names the option, what is allowed and the type that was given; never the value. */
export function requireShape(name: string, shape: Shape, value: unknown): void {
  if (!hasShape(shape, value)) throw new RangeError(shapeMessage(name, shape, value));
}

function shapeMessage(name: string, shape: Shape, value: unknown): string {
  const given =
    value === null ? "null" : Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
  return `"${name}" expected ${describeShape(shape)}, got ${given} that is not`;
}
