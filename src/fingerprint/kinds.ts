/**
 * What an object is that is neither an array nor plain. The words stand in error messages, so their number is
 * fixed and none of them is taken from the value.
 *
 * @module
 */
import { findHolder } from "./prototypes.ts";

const { getPrototypeOf } = Object;
const { toString: describe } = Object.prototype;
const { apply } = Reflect;

/** Built-in classes whose contents JSON does not send, by their tag. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ...["Date", "Map", "Set", "WeakMap", "WeakSet", "WeakRef", "Promise", "RegExp", "Error", "ArrayBuffer"].map(
    (tag): [string, string] => [tag, tag],
  ),
  ["SharedArrayBuffer", "ArrayBuffer"],
  ["Generator", "generator"],
  ["AsyncGenerator", "generator"],
  ["Number", "boxed number"],
  ["String", "boxed string"],
  ["Boolean", "boxed boolean"],
  ["BigInt", "boxed bigint"],
  ["Symbol", "boxed symbol"],
]);

const KIND_BY_PROTOTYPE: ReadonlyMap<object, string> = new Map(
  [...KINDS].flatMap(([tag, kind]): [object, string][] => {
    const builtIn = (globalThis as Record<string, unknown>)[tag];
    return typeof builtIn === "function" ? [[builtIn.prototype as object, kind]] : [];
  }),
);

/**
 * The kind of an object that is neither an array nor plain; `undefined` for an instance of anybody's class.
 *
 * The prototypes find subclasses, and built-ins with a tag of their own. The tag finds those of other realms; a
 * class that calls itself "Map" is taken for one, which refuses it: the safe side.
 */
export function kindOf(object: object): string | undefined {
  if (ArrayBuffer.isView(object)) return "typed array";
  const prototype: object | null = getPrototypeOf(object);
  const holder = prototype && findHolder(prototype, (candidate) => KIND_BY_PROTOTYPE.has(candidate));
  return holder ? KIND_BY_PROTOTYPE.get(holder) : KINDS.get(tagOf(object));
}

/**
 * True for an object that names itself by `Symbol.toStringTag`. The platform's classes do (`Headers`, `Blob`,
 * iterators), and what they hold is not in members.
 */
export function hasTag(object: object): boolean {
  return tagOf(object) !== "Object";
}

/** The word in `Object.prototype.toString`; "Object" when the object's own tag cannot be read. */
function tagOf(object: object): string {
  try {
    return (apply(describe, object, []) as string).slice("[object ".length, -1);
  } catch {
    return "Object";
  }
}
