/**
 * Assignment that cannot be intercepted.
 *
 * @module
 */

const { defineProperty } = Object;

/**
 * Gives `target` an ordinary member of its own.
 *
 * A plain assignment looks at the prototypes first: `__proto__` would change the prototype, a setter that somebody
 * put on `Object.prototype` or `Array.prototype` would run, and a frozen `Object.prototype` would refuse "toString".
 */
export function setOwn(target: object, key: PropertyKey, value: unknown): void {
  if (key in target)
    defineProperty(target, key, {
      // Without a prototype: an inherited `get` would make the descriptor invalid.
      __proto__: null,
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    } as PropertyDescriptor);
  else (target as Record<PropertyKey, unknown>)[key] = value;
}
