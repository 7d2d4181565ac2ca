/**
 * Reading the options of the label functions: each option once, `null` and `undefined` alike as "not given", and
 * wrong values refused before anything is written.
 *
 * @module
 */
import { type Labels, type Shape, SPAN_ATTRIBUTES, type SpanAttributeName } from "../attributes/registry.ts";
import { describeShape, hasShape } from "../attributes/shapes.ts";
import { reportLoss } from "./diagnostics.ts";

/**
 * Reads one option, once. An option that is not there is `absent`; so is one whose getter throws, since nothing that
 * happens while labelling may reach the workload.
 */
export function readOption(options: object, name: string, absent?: unknown): unknown {
  try {
    return name in options ? (options as Record<string, unknown>)[name] : absent;
  } catch {
    reportLoss(name, "option", "reading the option threw");
    return absent;
  }
}

/** Reads the option that is to be a label, and refuses a value that the label cannot have. `undefined` means not given. */
export function readLabel<Name extends SpanAttributeName>(
  options: object,
  name: string,
  label: Name,
): Labels[Name] | undefined {
  const value = readOption(options, name);
  if (value === undefined || value === null) return undefined;
  requireShape(name, SPAN_ATTRIBUTES[label].shape, value);
  return value as Labels[Name];
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
