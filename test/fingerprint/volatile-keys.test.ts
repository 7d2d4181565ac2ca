import { describe, expect, it } from "vitest";
import {
  canonicalFp,
  canonicalJson,
  prepareVolatileKeys,
  stripVolatile,
  VOLATILE_KEYS,
  wireJson,
} from "../../src/fingerprint/index.ts";

const stripped = (key: string, volatileKeys?: Iterable<string>): boolean =>
  canonicalJson({ [key]: 1 }, volatileKeys && { volatileKeys }) === "{}";

describe("the shared list of volatile keys", () => {
  it("is the one of the contract", () => {
    expect(VOLATILE_KEYS.join(" ")).toBe(
      "timestamp ts _ts created_at updated_at sent_at received_at request_id requestid req_id trace_id traceid " +
        "span_id spanid correlation_id nonce uuid guid cursor page_token next_page_token continuation_token " +
        "idempotency_key",
    );
    expect(Object.isFrozen(VOLATILE_KEYS)).toBe(true);
  });

  it.each(VOLATILE_KEYS)("%s is stripped however it is capitalised", (key) => {
    const capitalised = key.replace(/(^|_)[a-z]/g, (letter) => letter.toUpperCase());
    for (const spelling of [key, key.toUpperCase(), capitalised])
      expect(stripped(spelling), spelling).toBe(true);
    // By the whole key only.
    for (const other of [`${key}s`, `x${key}`, key.slice(0, -1), ` ${key}`, `${key}\u0301`])
      expect(stripped(other), other).toBe(false);
  });

  it.each([
    ["the Kelvin sign lower-cases to k", "page_to\u212aen", true],
    ["requestId has no underscore in the list either", "requestId", true],
    ["a dotted capital I does not lower-case to i", "correlat\u0130on_id", false],
    ["a dotless i is another letter", "correlat\u0131on_id", false],
    ["a long s does not lower-case to s", "t\u017f", false],
    ["wide letters are others", "\uff34\uff33", false],
    ["camel case is another key", "createdAt", false],
    ["hyphens are no underscores", "request-id", false],
  ])("%s", (_, key, expected) => {
    expect(stripped(key)).toBe(expected);
  });

  it("is left out at every depth, but never from an array or a text", () => {
    expect(canonicalJson([{ a: [{ ts: 1, b: { UUID: { c: 1 } } }] }, "ts", ["cursor"]])).toBe(
      '[{"a":[{"b":{}}]},"ts",["cursor"]]',
    );
  });
});

describe("the option volatileKeys", () => {
  it("replaces the list", () => {
    expect(stripped("ts", ["page"])).toBe(false);
    expect(stripped("page", ["page"])).toBe(true);
    expect(stripped("ts", [])).toBe(false);
    expect(stripped("page", [...VOLATILE_KEYS, "page"])).toBe(true);
    expect(stripped("uuid", [...VOLATILE_KEYS, "page"])).toBe(true);
  });

  it("may be any iterable, and is lower-cased as the keys are", () => {
    function* names() {
      yield "PAGE";
      yield "\u212aey";
      yield "\u0130d";
    }
    for (const key of ["page", "Page", "key", "KEY", "\u212aEY", "\u0130D", "i\u0307d"])
      expect(stripped(key, names()), key).toBe(true);
    for (const key of ["pages", "id"]) expect(stripped(key, new Set(names())), key).toBe(false);
  });

  it("may name __proto__ and inherited names, and they mean only themselves", () => {
    const value = JSON.parse('{"__proto__":1,"constructor":2,"a":3}') as unknown;
    expect(canonicalJson(value, { volatileKeys: ["__proto__"] })).toBe('{"a":3,"constructor":2}');
    expect(canonicalJson(value, { volatileKeys: ["constructor"] })).toBe('{"__proto__":1,"a":3}');
  });

  it("goes for canonicalFp and stripVolatile as well", () => {
    const value = { a: 1, page: 2, ts: 3 };
    expect(stripVolatile(value, { volatileKeys: ["page"] })).toStrictEqual({ a: 1, ts: 3 });
    expect(canonicalFp(value, { volatileKeys: ["page", "ts"] })).toBe(canonicalFp({ a: 1 }));
    expect(wireJson(value, prepareVolatileKeys(["A"]))).toBe('{"page":2,"ts":3}');
  });

  it.each([
    ["a single text", "page"],
    ["a number", 7],
    ["an object that is no iterable", { page: true }],
    ["a list with something else than texts", ["page", 7]],
  ])("throws a RangeError for %s, before the value is looked at", (_, volatileKeys) => {
    const options = { volatileKeys } as unknown as { volatileKeys: string[] };
    const value = {
      get a(): never {
        throw new Error("read");
      },
    };
    for (const run of [canonicalJson, canonicalFp, stripVolatile])
      expect(() => run(value, options)).toThrow(RangeError);
    expect(() => prepareVolatileKeys(volatileKeys as unknown as string[])).toThrow(RangeError);
  });

  it("is read once", () => {
    let reads = 0;
    canonicalFp(
      {},
      {
        get volatileKeys() {
          reads++;
          return ["a"];
        },
      },
    );
    expect(reads).toBe(1);
  });

  it("is optional: null and undefined are the shared list", () => {
    for (const volatileKeys of [undefined, null])
      expect(canonicalJson({ ts: 1 }, { volatileKeys } as unknown as object)).toBe("{}");
  });

  it("is not looked for in anything but an object, so the functions fit into map", () => {
    const values = [{ ts: 1 }, [2], null];
    expect(values.map(canonicalJson)).toEqual(["{}", "[2]", "null"]);
    expect(values.map(canonicalFp)).toEqual(values.map((value) => canonicalFp(value)));
    expect(values.map(stripVolatile)).toEqual([{}, [2], null]);
    for (const odd of [0, 7, "volatileKeys", true, null, Symbol("s"), () => 1, ["ts"]])
      expect(canonicalJson({ ts: 1 }, odd as never)).toBe("{}");
  });
});

it("a prepared list of the defaults is shared", () => {
  expect(prepareVolatileKeys()).toBe(prepareVolatileKeys(undefined));
  expect(prepareVolatileKeys([])).not.toBe(prepareVolatileKeys([]));
});
