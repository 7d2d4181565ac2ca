/**
 * Where an object comes from. Answered for objects of any realm (another `vm` context, a test runner's sandbox) and
 * safe to ask of hostile ones: a bounded number of steps, no `instanceof`.
 *
 * @module
 */

const { getPrototypeOf, hasOwn } = Object;
const { isArray } = Array;
const objectPrototype: object = Object.prototype;

/** True for what an object literal makes, in any realm, and for objects without a prototype. */
export function isPlain(object: object): boolean {
  const prototype: object | null = getPrototypeOf(object);
  return prototype === objectPrototype || prototype === null || isObjectPrototype(prototype);
}

/** `Object.prototype` of any realm. */
function isObjectPrototype(candidate: object): boolean {
  return (
    getPrototypeOf(candidate) === null &&
    hasOwn(candidate, "hasOwnProperty") &&
    hasOwn(candidate, "isPrototypeOf")
  );
}

// A proxy can say that it is its own prototype.
const MAX_STEPS = 100;

/** The first of `object` and its prototypes for which `test` is true. */
export function findHolder(object: object, test: (holder: object) => boolean): object | undefined {
  let holder: object | null = object;
  for (let step = 0; holder !== null && step < MAX_STEPS; step++) {
    if (test(holder)) return holder;
    holder = getPrototypeOf(holder);
  }
  return undefined;
}

/**
 * The `toJSON` that belongs to this value, or `undefined`.
 *
 * One that somebody put on `Object.prototype` or `Array.prototype` is not the value's: a fingerprint must not depend
 * on what else is loaded into the process.
 */
export function toJsonOf(value: object | bigint): ((key: string) => unknown) | undefined {
  const toJson: unknown = (value as { toJSON?: unknown }).toJSON;
  return typeof toJson === "function" && !isForeign(value) ? (toJson as (key: string) => unknown) : undefined;
}

// Prototypes of values that JSON can send without a toJSON. `BigInt.prototype.toJSON` and `Map.prototype.toJSON`
// are honoured: they only answer for values that JSON cannot send.
const SENT_WITHOUT: ReadonlySet<object> = new Set<object>([
  Object.prototype,
  Array.prototype,
  Function.prototype,
  String.prototype,
  Number.prototype,
  Boolean.prototype,
]);

function isForeign(value: object | bigint): boolean {
  if (typeof value === "bigint") return false;
  const holder = findHolder(value, (candidate) => hasOwn(candidate, "toJSON"));
  if (holder === undefined || holder === value) return false;
  // An array that is somebody's prototype is the `Array.prototype` of some realm.
  return SENT_WITHOUT.has(holder) || isArray(holder) || isObjectPrototype(holder);
}

const emptyArray: readonly unknown[] = [];

/**
 * True when an array's holes may read as something: somebody put an element on `Array.prototype` (which
 * moves its length) or a member on one of the prototypes.
 */
export function holesMayRead(): boolean {
  for (const _ in emptyArray) return true;
  return Array.prototype.length !== 0;
}
