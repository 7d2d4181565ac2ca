/**
 * Making bags of attributes.
 *
 * @module
 */

type MutableBag = Record<string, unknown>;

// `Object.create(null)` makes objects that engines keep as slow dictionaries from the start; instances of a
// constructor whose prototype has no prototype are as free of inherited names and fast.
const Bag = function Bag() {} as unknown as new () => MutableBag;
(Bag as unknown as { prototype: object }).prototype = Object.create(null);

/** A new, empty bag: no inherited names, and `__proto__` is a name like any other. */
export function newBag(): MutableBag {
  return new Bag();
}

/** A bag that is never written to, for spans and events without attributes. */
export const EMPTY_BAG: Readonly<MutableBag> = Object.freeze(newBag());
