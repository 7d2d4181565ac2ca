/**
 * The wire form: what `JSON.stringify` would send, since that is what frameworks send to the model. Members that are
 * `undefined` are left out, `toJSON` is honoured, instances are read by their own enumerable members.
 *
 * What JSON would send as less than it is (a Map as `{}`, NaN as `null`) is refused: different values would get
 * one fingerprint.
 *
 * @module
 */
import { MAX_NODES } from "./bounds.ts";
import type { Form } from "./form.ts";
import { hasTag, kindOf } from "./kinds.ts";
import { isPlain, toJsonOf } from "./prototypes.ts";
import { refuse } from "./refusal.ts";

const { keys } = Object;
const { isArray } = Array;
const { apply } = Reflect;

function resolve(value: object | bigint, key: string | number): unknown {
  const toJson = toJsonOf(value);
  if (toJson === undefined) return sent(value, key);
  refuseBigBuffer(value, toJson);
  return sent(apply(toJson, value, [`${key}`]), key);
}

/** What is sent for a value whose `toJSON` has been called: JSON.stringify calls it once, so "return this" ends. */
function sent(value: unknown, key: string | number): unknown {
  switch (typeof value) {
    case "object":
      return value === null || isArray(value) || isPlain(value) ? value : unboxed(value);
    case "function":
      // A copy made by `{ ...this }` inside a toJSON has that toJSON as a member. It was honoured, so nothing is lost.
      return key === "toJSON" ? undefined : refuse("not_json", "function");
    case "bigint":
      return refuse("not_json", "bigint");
    default:
      return value;
  }
}

/** The primitive in a boxed one, taken out as JSON.stringify does; an instance of a class as it is. */
function unboxed(object: object): unknown {
  const kind = kindOf(object);
  switch (kind) {
    case undefined:
      return object;
    case "boxed number":
      return +(object as unknown as number);
    case "boxed string":
      return `${object as unknown as string}`;
    case "boxed boolean":
      return apply(Boolean.prototype.valueOf, object, []);
    default:
      return refuse("not_json", kind);
  }
}

// Buffer's toJSON makes an array with one number per byte: for a large file that ends the process before any bound is
// looked at.
function refuseBigBuffer(value: unknown, toJson: unknown): void {
  if (!ArrayBuffer.isView(value) || value.byteLength < MAX_NODES) return;
  const { Buffer } = globalThis as { Buffer?: { prototype: { toJSON: unknown } } };
  if (toJson === Buffer?.prototype.toJSON) refuse("too_many_nodes");
}

function keysOf(object: object): readonly string[] {
  const list = keys(object);
  // Headers, URLSearchParams, Blob, iterators: JSON would send every one of them as {}.
  if (list.length === 0 && !isPlain(object) && hasTag(object)) refuse("not_json", "object without members");
  return list;
}

export const wireForm: Form = { dropsUndefined: true, resolve, keysOf };
