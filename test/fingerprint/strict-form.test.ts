import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/fingerprint/index.ts";
import { refusalOf, said, strictEntries, withHole } from "./support.ts";

class Point {
  x = 1;
}

function* numbers() {
  yield 1;
}

const symbol = Symbol("metadata");

describe.each(strictEntries)("%s", (_, run) => {
  describe("refuses what is not JSON, and says where", () => {
    it.each<[string, unknown, string, string?]>([
      ["undefined in an object", { a: 1, b: undefined }, "not_json at 1", "undefined"],
      ["undefined in an array", [0, undefined], "not_json at 1", "undefined"],
      ["a hole", withHole(), "array_hole at 1"],
      ["a hole at the end", new Array(3), "array_hole at 0"],
      ["a function", { a: [() => 1] }, "not_json at 0.0", "function"],
      ["a class", Point, "not_json", "function"],
      ["a symbol", [symbol], "not_json at 0", "symbol"],
      ["a bigint", { n: 1n }, "not_json at 0", "bigint"],
      ["a date", { at: new Date(0) }, "not_json at 0", "Date"],
      ["a map", [new Map()], "not_json at 0", "Map"],
      ["a set", [new Set()], "not_json at 0", "Set"],
      ["a weak map", new WeakMap(), "not_json", "WeakMap"],
      ["bytes", { data: new Uint8Array(2) }, "not_json at 0", "typed array"],
      ["a buffer", Buffer.from("a"), "not_json", "typed array"],
      ["an array buffer", new ArrayBuffer(1), "not_json", "ArrayBuffer"],
      ["a regular expression", /a/, "not_json", "RegExp"],
      ["an error", new TypeError("x"), "not_json", "Error"],
      ["a promise", Promise.resolve(1), "not_json", "Promise"],
      ["a generator", numbers(), "not_json", "generator"],
      ["a boxed string", new String("a"), "not_json", "boxed string"],
      ["a boxed number", Object(1), "not_json", "boxed number"],
      ["a boxed truth value", new Boolean(false), "not_json", "boxed boolean"],
      ["a boxed bigint", Object(1n), "not_json", "boxed bigint"],
      ["form data", new FormData(), "not_json", "class instance"],
      ["a file", { file: new Blob(["x"]) }, "not_json at 0", "class instance"],
      ["an instance", [[new Point()]], "not_json at 0.0", "class instance"],
      ["a URL", new URL("https://example.org"), "not_json", "class instance"],
      ["an object that inherits data", Object.create({ a: 1 }), "not_json", "class instance"],
      [
        "an object of a class without a parent",
        Object.create(Object.create(null)),
        "not_json",
        "class instance",
      ],
      ["a member named by a symbol", { a: { [symbol]: 1 } }, "symbol_key at 0"],
      ["an own toJSON", { toJSON: () => 1 }, "not_json", "object with toJSON"],
      [
        "a hidden toJSON",
        Object.defineProperty({ a: 1 }, "toJSON", { value: () => 1 }),
        "not_json",
        "object with toJSON",
      ],
      ["an array with toJSON", Object.assign([1], { toJSON: () => 1 }), "not_json", "object with toJSON"],
      ["NaN", { a: 0, b: { c: Number.NaN } }, "not_finite at 1.0"],
      ["infinity", [[Number.NEGATIVE_INFINITY]], "not_finite at 0.0"],
      ["a large integer", { n: [2 ** 53] }, "unsafe_integer at 0.0"],
      ["half a pair in a text", ["😀".slice(0, 1)], "unpaired_surrogate at 0"],
      ["two halves in the wrong order", ["\ude00\ud83d"], "unpaired_surrogate at 0"],
      ["half a pair in a key", { a: 1, b: { "x\udc00": 1, y: 2 } }, "unpaired_surrogate at 1.0"],
    ])("%s", (_name, value, expected, kind) => {
      const error = refusalOf(() => run(value));
      expect(said(error)).toBe(expected);
      if (kind !== undefined) expect(error.message).toContain(`(${kind})`);
    });

    it("by the member's place in the object's own order, stripped members included", () => {
      const value = { z: 1, ts: 2, b: Number.NaN, a: 3 };
      expect(said(refusalOf(() => run(value)))).toBe("not_finite at 2");
    });
  });

  it("reads each member once, and volatile ones not at all", () => {
    const reads: string[] = [];
    const value = {
      get b() {
        reads.push("b");
        return {
          get c() {
            reads.push("c");
            return 1;
          },
        };
      },
      get TimeStamp() {
        reads.push("TimeStamp");
        return 1;
      },
      get created_at(): never {
        throw new Error("read");
      },
      get "page_to\u212aen"(): never {
        throw new Error("read");
      },
    };
    run(value);
    expect(reads).toEqual(["b", "c"]);
  });
});

describe("the strict form accepts", () => {
  it.each<[string, unknown, string]>([
    ["objects without a prototype", Object.assign(Object.create(null), { b: 1, a: 2 }), '{"a":2,"b":1}'],
    ["frozen objects", Object.freeze({ a: Object.freeze([1]) }), '{"a":[1]}'],
    ["proxies of plain data", new Proxy({ a: new Proxy([1, 2], {}) }, {}), '{"a":[1,2]}'],
    [
      "__proto__ as data",
      JSON.parse('{"__proto__":{"a":1},"a":{"__proto__":null}}'),
      '{"__proto__":{"a":1},"a":{"__proto__":null}}',
    ],
    ["toJSON as data", { toJSON: 1 }, '{"toJSON":1}'],
    [
      "one object in two places",
      (() => {
        const a = { x: 1 };
        return [a, a, { a }];
      })(),
      '[{"x":1},{"x":1},{"a":{"x":1}}]',
    ],
    ["symbols that are not enumerable", Object.defineProperty({ a: 1 }, symbol, { value: 1 }), '{"a":1}'],
    [
      "members that are not enumerable, as absent",
      Object.defineProperty({ a: 1 }, "b", { value: 1 }),
      '{"a":1}',
    ],
    ["arrays with members besides", Object.assign([1], { extra: 1 }), "[1]"],
    [
      "an array that lies to its iterator",
      Object.assign([1, 2], {
        [Symbol.iterator]: function* () {
          yield 9;
        },
      }),
      "[1,2]",
    ],
    ["minus zero", [-0], "[0]"],
    ["the character that stands for broken text, as itself", ["\ufffd"], '["\ufffd"]'],
    ["undefined on its own, as null", undefined, "null"],
  ])("%s", (_, value, text) => {
    expect(canonicalJson(value)).toBe(text);
    for (const [, run] of strictEntries) run(value);
  });
});
