import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { canonicalJson, wireJson } from "../../src/fingerprint/index.ts";
import { refusalOf, said, strictEntries, volatile, wireEntries } from "./support.ts";

/** Values of another realm: a test runner's sandbox, an edge sandbox, a worker's context. */
const foreign = (code: string): unknown => runInNewContext(code);

describe("values of another realm", () => {
  it.each([
    ["({ b: [1, { c: null }], a: 'x' })", '{"a":"x","b":[1,{"c":null}]}'],
    ['JSON.parse(\'{"__proto__":1,"ts":2}\')', '{"__proto__":1}'],
    ["Object.create(null, { a: { value: 1, enumerable: true } })", '{"a":1}'],
    ["new Proxy({ a: [] }, {})", '{"a":[]}'],
  ])("%s is plain data", (code, text) => {
    expect(canonicalJson(foreign(code))).toBe(text);
    expect(canonicalJson({ inside: foreign(code) })).toBe(`{"inside":${text}}`);
    expect(wireJson(foreign(code), volatile)).toBe(text);
  });

  it.each([
    ["new Map([[1, 2]])", "Map"],
    ["new Set()", "Set"],
    ["new Uint8Array(1)", "typed array"],
    ["new ArrayBuffer(1)", "ArrayBuffer"],
    ["new Error('x')", "Error"],
    ["/x/", "RegExp"],
    ["Promise.resolve()", "Promise"],
    ["(function* () {})()", "generator"],
    ["() => 1", "function"],
    ["[1, 2].values()", "object without members"],
  ])("%s is refused on the wire too", (code, kind) => {
    for (const [, run] of wireEntries) {
      const error = refusalOf(() => run([foreign(code)]));
      expect(said(error)).toBe("not_json at 0");
      expect(error.message).toContain(`(${kind})`);
    }
    for (const [, run] of strictEntries)
      expect(said(refusalOf(() => run([foreign(code)])))).toBe("not_json at 0");
  });

  it.each([
    ["new Date(0)", '"1970-01-01T00:00:00.000Z"'],
    ["new String('a')", '"a"'],
    ["new Number(1.5)", "1.5"],
    ["new Boolean(true)", "true"],
    ["new (class Point { x = 1 })()", '{"x":1}'],
    ["({ toJSON() { return [this.constructor.name] } })", '["Object"]'],
  ])("%s is on the wire what JSON sends", (code, text) => {
    expect(wireJson(foreign(code), volatile)).toBe(text);
    expect(JSON.stringify(foreign(code))).toBe(text);
    for (const [, run] of strictEntries) expect(refusalOf(() => run(foreign(code))).code).toBe("not_json");
  });

  it("toJSON on the other realm's Object.prototype or Array.prototype changes nothing", () => {
    for (const builtIn of ["Object", "Array"])
      expect(
        wireJson(foreign(`${builtIn}.prototype.toJSON = () => "changed"; ({ a: [1, {}] })`), volatile),
      ).toBe('{"a":[1,{}]}');
  });
});
