/**
 * A foreign JSON value as plain data of our own, so that everything behind it reads without care.
 *
 * @module
 */
import { isForeign, type Looking } from "../looking.ts";

/** Plain JSON data; objects have no prototype. */
export type Plain = string | number | boolean | null | readonly Plain[] | PlainObject;
/** A plain object. */
export interface PlainObject {
  readonly [name: string]: Plain;
}

const DEEPEST = 48;

/** The copy; `undefined` for what is no JSON, is too deep or circular, or cannot be read. */
export function plainCopy(value: unknown, look: Looking): Plain | undefined {
  const faults = look.faults;
  try {
    const copy = copyOf(value, look, 0);
    return look.faults === faults ? copy : undefined;
  } catch (error) {
    if (error === TOO_DEEP) return undefined;
    throw error;
  }
}

const TOO_DEEP = Symbol("too deep");

function copyOf(value: unknown, look: Looking, depth: number): Plain {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return value;
  if (depth >= DEEPEST || look.isExhausted) throw TOO_DEEP;
  const list = look.list(value);
  if (list !== undefined) return list.map((one) => copyOf(one, look, depth + 1));
  const copy: Record<string, Plain> = Object.create(null);
  if (!isForeign(value) || typeof value === "function") return copy;
  for (const [name, member] of look.entries(value)) {
    // Schema libraries keep symbols, functions and `undefined` beside the schema: JSON would leave them out too.
    if (member === undefined || typeof member === "function" || typeof member === "symbol") continue;
    copy[name] = copyOf(member, look, depth + 1);
  }
  return copy;
}

/** True for a plain object. */
export const isPlainObject = (value: Plain | undefined): value is PlainObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
