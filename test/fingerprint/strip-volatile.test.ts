import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stripVolatile } from "../../src/fingerprint/index.ts";
import { json } from "./support.ts";

describe("stripVolatile", () => {
  it("leaves volatile members out at every depth and keeps the rest, in order", () => {
    const value = { z: 1, ts: 2, a: [{ UUID: 3, b: -0, c: "x" }, null], e: {} };
    const result = stripVolatile(value);
    expect(result).toStrictEqual({ z: 1, a: [{ b: -0, c: "x" }, null], e: {} });
    expect(Object.keys(result as object)).toEqual(["z", "a", "e"]);
    expect(value).toHaveProperty("ts");
  });

  it("makes plain objects and arrays that share nothing with the value", () => {
    const inner = Object.freeze({ a: 1 });
    const value = { one: inner, two: inner, list: new (class extends Array {})() };
    const result = stripVolatile(Object.assign(Object.create(null), value)) as typeof value;
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(result.list)).toBe(Array.prototype);
    expect(result.one).not.toBe(inner);
    expect(result.one).not.toBe(result.two);
    expect(Object.isFrozen(result.one)).toBe(false);
  });

  it("turns getters and proxies into data", () => {
    const value = new Proxy(
      {
        get a() {
          return [1];
        },
      },
      {},
    );
    expect(Object.getOwnPropertyDescriptor(stripVolatile(value), "a")).toEqual({
      value: [1],
      configurable: true,
      enumerable: true,
      writable: true,
    });
  });

  it("keeps __proto__ and inherited names as data of the copy", () => {
    const value: unknown = JSON.parse('{"__proto__":{"polluted":true},"toString":1,"a":{"__proto__":null}}');
    const result = stripVolatile(value) as object;
    expect(Object.keys(result)).toEqual(["__proto__", "toString", "a"]);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect("polluted" in result).toBe(false);
    expect("polluted" in {}).toBe(false);
  });

  it("gives null for undefined, and scalars as they are", () => {
    for (const [value, result] of [
      [undefined, null],
      [null, null],
      ["a", "a"],
      [-0, -0],
      [false, false],
    ])
      expect(Object.is(stripVolatile(value), result)).toBe(true);
  });

  it("without a volatile key, equals its value", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(isDeepStrictEqual(stripVolatile(value, { volatileKeys: [] }), value)).toBe(true);
      }),
    );
  });
});
