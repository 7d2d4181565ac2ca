import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import {
  CanonicalizationError,
  canonicalFp,
  canonicalJson,
  prepareVolatileKeys,
  stripVolatile,
  wireFp,
  wireJson,
} from "../../src/fingerprint/index.ts";
import { entries, refusalOf, volatile } from "./support.ts";

const runs = Object.entries(entries);

function revoked(target: object): unknown {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

const throwing = (): never => {
  throw revoked({});
};

/** A proxy that throws from one trap. */
const trapped = (trap: keyof ProxyHandler<object>, target: object = { a: 1 }): object =>
  new Proxy(target, { [trap]: throwing });

const lyingLength = (length: unknown): unknown =>
  new Proxy([1, 2], { get: (target, key) => (key === "length" ? length : Reflect.get(target, key)) });

/** Things that break walks which trust what they are given. */
const hostile: Readonly<Record<string, unknown>> = {
  "a getter that throws": {
    a: 1,
    get b() {
      return throwing();
    },
  },
  "a getter that throws nothing": {
    get a() {
      throw undefined;
    },
  },
  "a getter that throws a revoked proxy": {
    get a() {
      throw revoked({});
    },
  },
  "a getter that throws an error of ours with a text of its own": {
    get a() {
      throw Object.assign(new CanonicalizationError("cycle", [9]), { message: "secret" });
    },
  },
  "an element that throws": Object.defineProperty([1, 2], 1, { get: throwing, enumerable: true }),
  "a getter that never ends in depth": (() => {
    const endless = () => ({
      get a(): unknown {
        return endless();
      },
    });
    return endless();
  })(),
  "a getter that runs out of stack": {
    get a(): unknown {
      return (function recurse(): number {
        return recurse() + 1;
      })();
    },
  },
  "a revoked object": revoked({}),
  "a revoked array": [revoked([])],
  "a revoked function": { a: revoked(() => 1) },
  ...Object.fromEntries(
    (["get", "ownKeys", "getPrototypeOf", "getOwnPropertyDescriptor"] as const).flatMap((trap) => [
      [`an object whose ${trap} throws`, [trapped(trap)]],
      [`an array whose ${trap} throws`, [trapped(trap, [1])]],
    ]),
  ),
  "a proxy that is its own prototype": (() => {
    const proxy: object = new Proxy({ a: 1 }, { getPrototypeOf: () => proxy });
    return proxy;
  })(),
  "a proxy with endless prototypes": (() => {
    const endless = (): object => new Proxy({}, { getPrototypeOf: endless, has: () => false });
    return endless();
  })(),
  "an array of length infinity": lyingLength(Number.POSITIVE_INFINITY),
  "an array of length NaN": lyingLength(Number.NaN),
  "an array of length minus one": lyingLength(-1),
  "an array of a length that is text": lyingLength("2"),
  "an array of a length that is no number": lyingLength(Symbol("length")),
  "an array of a length that throws": lyingLength({ valueOf: throwing }),
  "an array of a length that is big": lyingLength(2n ** 70n),
  "an array of length one and a half": lyingLength(1.5),
  "an object that names keys it does not have": new Proxy({}, { ownKeys: () => ["a", "b"] }),
  "an object that names a key twice": new Proxy({}, { ownKeys: () => ["a", "a"] }),
  "an object with endless new members": new Proxy(
    {},
    {
      ownKeys: () => ["a"],
      getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }),
      get: (_, key, proxy) => (key === "a" ? [proxy] : undefined),
    },
  ),
  "many keys": Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index])),
  "more keys than nodes": Object.fromEntries(Array.from({ length: 1_000_001 }, (_, index) => [index, 0])),
  "a tag that throws": {
    get [Symbol.toStringTag]() {
      return throwing();
    },
  },
  "an instance whose tag throws": new (class {
    get [Symbol.toStringTag](): string {
      return throwing();
    }
  })(),
  "a toJSON that throws": { toJSON: throwing },
  "a toJSON whose getter throws": {
    get toJSON() {
      return throwing();
    },
  },
  "a toJSON that returns itself": {
    toJSON() {
      return this;
    },
  },
  "a toJSON that returns another one for ever": (() => {
    const endless = () => ({ toJSON: () => ({ a: endless() }) });
    return endless();
  })(),
  "a toJSON that is a revoked proxy": { toJSON: revoked(() => 1) },
  "a boxed number whose value throws": Object.assign(new Number(1), { valueOf: throwing }),
  "a boxed number whose value is a bigint": Object.assign(new Number(1), { valueOf: () => 1n }),
  "a boxed string whose text is a symbol": Object.assign(new String("a"), { toString: () => Symbol("s") }),
  "something that only looks boxed": [Object.create(Number.prototype), Object.create(Boolean.prototype)],
  "an array that changes its length while it is read": (() => {
    const array: unknown[] = [1, 2, 3];
    Object.defineProperty(array, 0, {
      get: () => {
        array.length = 1;
        return 0;
      },
      enumerable: true,
    });
    return array;
  })(),
  "an object that loses members while it is read": (() => {
    const object: Record<string, unknown> = {
      get a() {
        delete object.b;
        delete object.c;
        return 1;
      },
      b: 1,
      c: 2,
    };
    return object;
  })(),
  globalThis: globalThis,
  "a namespace": Math,
  "a class": class {},
};

describe.each(runs)("%s lets nothing out but a CanonicalizationError", (_, run) => {
  // By name: the test runner looks into the values that it is given.
  it.each(Object.keys(hostile))("for %s", (name) => {
    const value = hostile[name];
    onlyOurError(() => run(value));
    onlyOurError(() => run({ beside: 1, inside: [value] }));
  });
});

function onlyOurError(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(CanonicalizationError);
    expect((error as Error).message).not.toContain("secret");
    expect((error as CanonicalizationError).path.every(Number.isSafeInteger)).toBe(true);
    expect((error as CanonicalizationError).path.every((position) => position >= 0)).toBe(true);
  }
}

it("whatever the value, an answer or a CanonicalizationError", () => {
  const anything = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    withUnicodeString: true,
  });
  fc.assert(
    fc.property(anything, (value) => {
      for (const [, run] of runs) onlyOurError(() => run(value));
    }),
    { numRuns: 500 },
  );
});

it("what strict accepts has one text in both forms, whatever the value", () => {
  const anything = fc.anything({ withNullPrototype: true, withSparseArray: true, withUnicodeString: true });
  fc.assert(
    fc.property(anything, (value) => {
      let text: string;
      try {
        text = canonicalJson(value);
      } catch {
        return;
      }
      expect(wireJson(value, volatile)).toBe(text);
      expect(wireFp(value, volatile)).toBe(canonicalFp(value));
    }),
    { numRuns: 1_000 },
  );
});

describe("a getter that fingerprints while its object is fingerprinted", () => {
  const long = Array.from({ length: 5_000 }, (_, index) => ({ index, text: "some text" }));
  const plain = { a: 1, b: "inner", c: long, d: [2] };
  const nested = {
    a: 1,
    get b() {
      for (const [, run] of runs) {
        run({ b: "other", a: long });
        expect(refusalOf(() => run({ z: { y: Number.NaN } })).path).toEqual([0, 0]);
      }
      return "inner";
    },
    c: long,
    d: [2],
  };

  it.each(runs)("does not disturb %s", (_, run) => {
    expect(run(nested)).toEqual(run(plain));
  });
});

describe("a prototype that somebody wrote to", () => {
  const value = () => ({ a: [1, "x", { b: true }], toString: 1, "0": [[], {}], get: null });
  const expected = runs.map(([, run]) => run(value()));
  const list = Array.from({ length: 20 }, (_, index) => index);
  // A chain of functions and not a list: lists do not work while Array.prototype is written to.
  let restore = (): void => {};

  afterEach(() => {
    restore();
    restore = () => {};
  });

  function pollute(prototype: object, key: PropertyKey, descriptor: PropertyDescriptor): void {
    const before = Object.getOwnPropertyDescriptor(prototype, key);
    const restoreOthers = restore;
    restore = () => {
      Reflect.deleteProperty(prototype, key);
      if (before !== undefined) Object.defineProperty(prototype, key, before);
      // An element moved it, and taking the element away does not move it back.
      Array.prototype.length = 0;
      restoreOthers();
    };
    Object.defineProperty(prototype, key, {
      __proto__: null,
      configurable: true,
      ...descriptor,
    } as PropertyDescriptor);
  }

  /** Runs everything while `pollutions` are in force, and looks at the results after. */
  function results(...pollutions: readonly (readonly [object, PropertyKey, PropertyDescriptor])[]): void {
    const texts: unknown[] = [];
    let hole: unknown;
    let path: unknown;
    try {
      for (let index = 0; index < pollutions.length; index++) {
        const pollution = pollutions[index]!;
        pollute(pollution[0], pollution[1], pollution[2]);
      }
      for (let index = 0; index < runs.length; index++) setResult(texts, index, runs[index]![1](value()));
      hole = refusedWith(() => canonicalJson([list, new Array(3)]));
      path = refusedWith(() => canonicalFp([0, [[Number.NaN]]]));
    } finally {
      restore();
      restore = () => {};
    }
    expect(texts).toEqual(expected);
    expect(hole).toEqual(["array_hole", [1, 0]]);
    expect(path).toEqual(["not_finite", [1, 0, 0]]);
  }

  function setResult(target: unknown[], index: number, result: unknown): void {
    Object.defineProperty(target, index, {
      __proto__: null,
      value: result,
      enumerable: true,
      configurable: true,
      writable: true,
    } as PropertyDescriptor);
  }

  function refusedWith(run: () => unknown): unknown {
    try {
      run();
    } catch (error) {
      return [(error as CanonicalizationError).code, (error as CanonicalizationError).path];
    }
    return undefined;
  }

  const polluted = { value: () => "polluted", enumerable: true, writable: true };

  it("toJSON on Object.prototype", () => results([Object.prototype, "toJSON", polluted]));
  it("toJSON on Array.prototype", () => results([Array.prototype, "toJSON", polluted]));
  it("toJSON on String.prototype, Number.prototype and Boolean.prototype", () =>
    results(
      [String.prototype, "toJSON", polluted],
      [Number.prototype, "toJSON", polluted],
      [Boolean.prototype, "toJSON", polluted],
    ));
  it("a toJSON getter that throws", () =>
    results(
      [Array.prototype, "a", { get: throwing }],
      [Object.prototype, "volatileKeys", { get: throwing }],
    ));
  it("a member on Object.prototype", () => results([Object.prototype, "extra", polluted]));
  it("an option on Object.prototype", () =>
    results([Object.prototype, "volatileKeys", { value: ["a"], enumerable: true }]));
  it("a setter for a key", () => results([Object.prototype, "a", { set: throwing, get: () => 9 }]));
  it("elements on Array.prototype", () =>
    results([Array.prototype, 0, { value: "polluted", writable: true, enumerable: true }]));
  it("hidden elements on Array.prototype", () =>
    results(
      [Array.prototype, 0, { value: "polluted", writable: true }],
      [Array.prototype, 1, { value: "polluted", writable: true }],
    ));
  it("setters for elements on Array.prototype", () =>
    results(
      ...[0, 1, 2, 3].map(
        (index) => [Array.prototype, index, { set: throwing, get: () => "polluted" }] as const,
      ),
    ));
  it("elements on Object.prototype", () =>
    results([Object.prototype, 0, { value: "polluted", writable: true, enumerable: true }]));
  it("parts of a property descriptor", () => {
    results(
      [Object.prototype, "enumerable", { value: true, writable: true }],
      [Object.prototype, "value", { value: 1, writable: true }],
    );
  });
  it("the iterator of arrays", () =>
    results([Array.prototype, Symbol.iterator, { value: throwing, writable: true }]));

  it("an option on Object.prototype, when options are given", () => {
    pollute(Object.prototype, "volatileKeys", { value: ["a"], enumerable: true });
    const text = canonicalJson({ a: 1, ts: 2 }, {});
    restore();
    expect(text).toBe('{"a":1}');
  });

  it("a getter in every property descriptor", () => {
    const data: unknown = JSON.parse('{"__proto__":1,"toString":[2]}');
    pollute(Object.prototype, "get", { value: () => 3, writable: true });
    const result = stripVolatile(data);
    restore();
    expect(JSON.stringify(result)).toBe('{"__proto__":1,"toString":[2]}');
  });

  it("toJSON for a boxed text, which JSON.stringify would call", () => {
    pollute(String.prototype, "toJSON", polluted);
    const text = wireJson([new String("a")], volatile);
    restore();
    expect(text).toBe('["a"]');
  });

  it("toJSON for a function, which stays refused", () => {
    pollute(Function.prototype, "toJSON", polluted);
    const error = refusalOf(() => wireFp([() => 1], volatile));
    restore();
    expect(error.code).toBe("not_json");
  });
});

describe("the memory of member orders cannot be made to lie", () => {
  it("by objects with the same first and last key", () => {
    for (let round = 0; round < 3; round++)
      for (const middle of ["m", "n", "ts", "o", "b"]) {
        const value = { a: 1, [middle]: 2, z: 3 };
        expect(canonicalFp(value)).toBe(canonicalFp(JSON.parse(canonicalJson(value))));
      }
  });

  it("by lists of volatile keys, which have one each", () => {
    const value = { a: 1, b: 2 };
    const withoutA = prepareVolatileKeys(["a"]);
    for (let round = 0; round < 3; round++) {
      expect(wireJson(value, withoutA)).toBe('{"b":2}');
      expect(wireFp(value, withoutA)).toBe(canonicalFp({ b: 2 }));
      expect(canonicalFp(value, { volatileKeys: ["b"] })).toBe(canonicalFp({ a: 1 }));
      expect(wireFp(value, volatile)).toBe(canonicalFp(stripVolatile(value)));
    }
  });

  it("by results: what is returned is not what is remembered", () => {
    const first = stripVolatile({ list: [1], "x y": 2 }) as { list: number[] };
    first.list.push(2);
    expect(canonicalJson({ list: [1], "x y": 2 })).toBe('{"list":[1],"x y":2}');
  });
});
