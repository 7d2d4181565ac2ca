import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "#sha256";
import { canonicalJson, prepareVolatileKeys, wireFp, wireJson } from "../../src/fingerprint/index.ts";
import { objectOf, refusalOf, said, volatile, wireEntries, withHole } from "./support.ts";

/** What the wire form has to equal, by the language's own JSON. */
function sent(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  return canonicalJson(text === undefined ? null : JSON.parse(text));
}

function expectSent(value: unknown): void {
  const expected = sent(value);
  expect(wireJson(value, volatile)).toBe(expected);
  expect(wireFp(value, volatile)).toBe(sha256(expected).slice(0, 16));
}

class Money {
  readonly amount: number;
  readonly #secret = 1;
  constructor(amount: number) {
    this.amount = amount;
  }
  get double() {
    return this.amount * 2 * this.#secret;
  }
}

class Cents {
  readonly cents: number;
  constructor(cents: number) {
    this.cents = cents;
  }
  toJSON() {
    return { cents: this.cents };
  }
}

describe("the wire form is what JSON.stringify sends", () => {
  it.each<[string, unknown]>([
    ["a member that is undefined, first", { a: undefined, b: 1, c: 2 }],
    ["a member that is undefined, last", { a: 1, b: undefined }],
    ["members that are all undefined", { a: undefined, b: undefined, c: [{ d: undefined }] }],
    ["undefined before a text", { a: undefined, b: "x", c: undefined, d: "y" }],
    ["undefined before an object", { a: undefined, b: {}, c: [] }],
    ["a date", { at: new Date(0) }],
    ["an invalid date", [new Date(Number.NaN)]],
    ["a URL", new URL("https://example.org/a?b")],
    ["a buffer", { data: Buffer.from([1, 2]) }],
    ["an instance", { price: new Money(3) }],
    ["an instance with toJSON", [new Cents(5)]],
    ["an instance without members", [new (class {})()]],
    [
      "an instance of a class that names itself",
      new (class {
        a = 1;
        get [Symbol.toStringTag]() {
          return "Thing";
        }
      })(),
    ],
    [
      "an instance whose tag throws",
      new (class {
        a = 1;
        get [Symbol.toStringTag](): string {
          throw new Error("tag");
        }
      })(),
    ],
    ["an object that inherits data", Object.create({ a: 1 })],
    ["boxed primitives", [new String("a"), new Number(2), new Boolean(false), Object(1.5)]],
    ["a boxed number with a method of its own", Object.assign(new Number(2), { valueOf: () => 7 })],
    ["a boxed string with a method of its own", Object.assign(new String("a"), { toString: () => "b" })],
    ["a boxed boolean with a method of its own", Object.assign(new Boolean(false), { valueOf: () => true })],
    ["members named by symbols", { a: 1, [Symbol("s")]: 2 }],
    ["toJSON that is not a function", { toJSON: { a: 1 } }],
    ["toJSON that is not enumerable", Object.defineProperty({ a: 1 }, "toJSON", { value: () => 2 })],
    [
      "toJSON that is told the key",
      { a: { toJSON: (key: string) => `key ${key}` }, b: [{ toJSON: (key: unknown) => [typeof key, key] }] },
    ],
    ["toJSON at the top, with the empty key", { toJSON: (key: unknown) => [key] }],
    ["toJSON that returns undefined, in an object", { a: { toJSON: () => undefined }, b: 1 }],
    ["toJSON that returns undefined, at the top", { toJSON: () => undefined }],
    ["toJSON that returns another with toJSON", { toJSON: () => ({ b: 1, toJSON: () => 2 }) }],
    [
      "toJSON that returns itself",
      {
        a: 1,
        toJSON() {
          return this;
        },
      },
    ],
    [
      "toJSON that copies itself",
      {
        a: 1,
        toJSON() {
          return { ...this };
        },
      },
    ],
    ["toJSON on an array", Object.assign([1], { toJSON: () => ["x"] })],
    ["toJSON on a function", [Object.assign(() => 1, { toJSON: () => "f" })]],
    ["toJSON with a call of its own", [{ toJSON: Object.assign(() => 1, { call: null, apply: null }) }]],
    ["an array with members besides", Object.assign([1], { extra: 1 })],
    [
      "arguments",
      (function (..._: unknown[]) {
        // biome-ignore lint/complexity/noArguments: they are what is sent
        return arguments;
      })(1, "a"),
    ],
    ["a proxy of an instance", new Proxy(new Money(1), {})],
    ["undefined at the top", undefined],
  ])("%s", (_, value) => {
    expectSent(value);
  });

  it.each(["1", 1.5, -1, Number.NaN, null, "x", true, [2], { valueOf: () => 1 }])(
    "an array that says its length is %j",
    (length) => {
      expectSent(
        new Proxy([1, 2], { get: (array, key) => (key === "length" ? length : Reflect.get(array, key)) }),
      );
    },
  );

  it("a Date is its ISO text", () => {
    expect(wireJson({ at: new Date(0) }, volatile)).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
  });

  it("a bigint that knows its JSON", () => {
    Object.defineProperty(BigInt.prototype, "toJSON", {
      configurable: true,
      value: function (this: bigint) {
        return `${this}n`;
      },
    });
    try {
      expectSent([1n, { a: 2n }, Object(3n)]);
    } finally {
      Reflect.deleteProperty(BigInt.prototype, "toJSON");
    }
  });

  it("reads each member once, and volatile ones not at all", () => {
    let reads = 0;
    const value = {
      get a() {
        return ++reads;
      },
      get Nonce(): never {
        throw new Error("read");
      },
    };
    expect(wireJson(value, volatile)).toBe('{"a":1}');
    expect(wireFp(value, volatile)).toBe(sha256('{"a":2}').slice(0, 16));
  });

  it("strips what toJSON returns", () => {
    expect(wireJson([{ toJSON: () => ({ a: 1, ts: 2 }) }], volatile)).toBe('[{"a":1}]');
    expect(
      wireJson(
        {
          a: { toJSON: () => 1 },
          b: {
            get c(): never {
              throw new Error();
            },
          },
        },
        prepareVolatileKeys(["B"]),
      ),
    ).toBe('{"a":1}');
  });

  it("for values of every make", () => {
    const leaf = fc.oneof(
      fc.constantFrom(null, true, 0, -0, 1.5, "", "a\n😀"),
      fc.date(),
      fc.integer().map((n) => new Cents(n)),
      fc.integer().map((n) => new Money(n)),
      fc.integer().map((n) => new Number(n)),
      fc.string({ unit: "binary" }).map((text) => new String(text)),
      fc.boolean().map((flag) => new Boolean(flag)),
      fc.constant({ toJSON: () => ({ ts: 1, a: [new Date(0)] }) }),
    );
    const keys = fc.constantFrom("a", "b", "c", "10", "9", "ts", "__proto__", "toString", "é");
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        leaf,
        fc.array(tie("value"), { maxLength: 5 }),
        fc
          .array(fc.tuple(keys, fc.oneof(tie("value"), fc.constant(undefined))), { maxLength: 5 })
          .map(objectOf),
        fc
          .array(fc.tuple(keys, tie("value")), { maxLength: 3 })
          .map((entries) =>
            Object.assign(new Cents(1), objectOf(entries.filter(([key]) => key !== "__proto__"))),
          ),
        // A date that toJSON returns is refused: JSON would send {}.
        tie("value").map((inner) => ({ toJSON: () => (inner instanceof Date ? [inner] : inner) })),
      ),
    }));
    fc.assert(
      fc.property(value, (generated) => {
        expectSent(generated);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe.each(wireEntries)("%s refuses what JSON would lose", (_, run) => {
  it.each<[string, unknown, string, string?]>([
    ["a map", { a: new Map([[1, 2]]) }, "not_json at 0", "Map"],
    ["a map of somebody's class", new (class Registry extends Map {})(), "not_json", "Map"],
    [
      "a map with another name",
      Object.defineProperty(new Map(), Symbol.toStringTag, { value: "Object" }),
      "not_json",
      "Map",
    ],
    ["a set", [new Set([1])], "not_json at 0", "Set"],
    ["a weak map", new WeakMap(), "not_json", "WeakMap"],
    ["a weak set", new WeakSet(), "not_json", "WeakSet"],
    ["bytes", new Uint8Array(2), "not_json", "typed array"],
    ["floats", new Float64Array(2), "not_json", "typed array"],
    ["a view", new DataView(new ArrayBuffer(1)), "not_json", "typed array"],
    ["an array buffer", new ArrayBuffer(1), "not_json", "ArrayBuffer"],
    ["a regular expression", /a/, "not_json", "RegExp"],
    ["an error", { error: new RangeError("x") }, "not_json at 0", "Error"],
    ["an error with members", Object.assign(new Error("x"), { code: "E" }), "not_json", "Error"],
    ["a promise", [Promise.resolve(1)], "not_json at 0", "Promise"],
    [
      "a generator",
      (function* () {
        yield 1;
      })(),
      "not_json",
      "generator",
    ],
    [
      "an async generator",
      (async function* () {
        yield 1;
      })(),
      "not_json",
      "generator",
    ],
    ["an iterator", [1].values(), "not_json", "object without members"],
    ["headers", new Headers({ a: "b" }), "not_json", "object without members"],
    ["search parameters", new URLSearchParams("a=b"), "not_json", "object without members"],
    ["form data", new FormData(), "not_json", "object without members"],
    ["a file", { file: new Blob(["x"]) }, "not_json at 0", "object without members"],
    ["a boxed symbol", Object(Symbol("s")), "not_json", "boxed symbol"],
    ["a boxed bigint", [Object(1n)], "not_json at 0", "boxed bigint"],
    ["a bigint", { a: 1n }, "not_json at 0", "bigint"],
    ["a function", { a: 1, run: () => 1 }, "not_json at 1", "function"],
    ["a symbol", { a: Symbol("s") }, "not_json at 0", "symbol"],
    ["a function at the top", () => 1, "not_json", "function"],
    ["undefined in an array", [1, undefined], "not_json at 1", "undefined"],
    [
      "toJSON that returns undefined, in an array",
      [{ toJSON: () => undefined }],
      "not_json at 0",
      "undefined",
    ],
    ["a hole", withHole(), "array_hole at 1"],
    ["NaN", { a: Number.NaN }, "not_finite at 0"],
    ["a boxed infinity", [new Number(Infinity)], "not_finite at 0"],
    ["a large integer from toJSON", [{ toJSON: () => 2 ** 53 }], "unsafe_integer at 0"],
    ["a date that toJSON returns", [{ toJSON: () => new Date(0) }], "not_json at 0", "Date"],
    ["a map that toJSON returns", [{ toJSON: () => new Map() }], "not_json at 0", "Map"],
    ["two halves in the wrong order", ["\ude00\ud83d"], "unpaired_surrogate at 0"],
    [
      "half a pair in a key of an instance",
      Object.assign(new Money(1), { "\ud800": 1 }),
      "unpaired_surrogate at 1",
    ],
    [
      "a getter that throws",
      {
        a: 1,
        get b(): never {
          throw new Error("secret");
        },
      },
      "unreadable at 1",
    ],
    [
      "a toJSON that throws",
      [
        0,
        {
          toJSON() {
            throw new Error("secret");
          },
        },
      ],
      "unreadable at 1",
    ],
  ])("%s", (_name, value, expected, kind) => {
    const error = refusalOf(() => run(value));
    expect(said(error)).toBe(expected);
    if (kind !== undefined) expect(error.message).toContain(`(${kind})`);
  });

  it("a large buffer before its toJSON makes an array of it", () => {
    const before = process.memoryUsage().rss;
    expect(refusalOf(() => run({ file: Buffer.alloc(50_000_000) })).code).toBe("too_many_nodes");
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });
});
