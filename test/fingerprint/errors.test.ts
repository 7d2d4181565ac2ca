import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { TrustablError } from "../../src/errors.ts";
import {
  CANONICALIZATION_ERROR_CODES,
  CanonicalizationError,
  canonicalFp,
} from "../../src/fingerprint/index.ts";
import { entries, refusalOf } from "./support.ts";

describe("a CanonicalizationError", () => {
  const error = refusalOf(() => canonicalFp({ a: 1, b: { c: [0, Number.NaN] } }));

  it("is an error of this package, with a code and a path", () => {
    expect(error).toBeInstanceOf(Error);
    expect(TrustablError.isInstance(error)).toBe(true);
    expect(error.name).toBe("CanonicalizationError");
    expect(error.code).toBe("not_finite");
    expect(error.path).toEqual([1, 0, 1]);
    expect(Object.isFrozen(error.path)).toBe(true);
    expect(error.message).toBe("cannot be canonicalised: number that is not finite at position 1.0.1");
    expect(error.stack).toContain("CanonicalizationError: cannot be canonicalised");
  });

  it("keeps a path of its own", () => {
    const path = [1, 2];
    const own = new CanonicalizationError("cycle", path);
    path.push(3);
    expect(own.path).toEqual([1, 2]);
  });

  it("says that the top value is meant when there is no path", () => {
    expect(refusalOf(() => canonicalFp(Number.NaN)).message).toBe(
      "cannot be canonicalised: number that is not finite at the top",
    );
    expect(refusalOf(() => canonicalFp(new Map())).message).toBe(
      "cannot be canonicalised: not a JSON value (Map) at the top",
    );
  });

  it("has a short message even where the path is long", () => {
    const path = Array.from({ length: 1_000 }, (_, index) => index);
    const { message } = new CanonicalizationError("too_deep", path);
    expect(message).toContain("at position 0.1.2.3");
    expect(message).toContain("and 984 levels below");
    expect(message.length).toBeLessThan(200);
  });

  it("has words for every code", () => {
    expect(CANONICALIZATION_ERROR_CODES).toHaveLength(11);
    for (const code of CANONICALIZATION_ERROR_CODES)
      expect(new CanonicalizationError(code, [0]).message).toMatch(
        /^cannot be canonicalised: \w.{3,} at position 0$/,
      );
  });
});

describe("no part of a value is in its error", () => {
  const secret = "s3cret-Ω-4111111111111111";
  const number = 4.111111111111111e19;
  class S3cretClass {}
  Object.defineProperty(S3cretClass, "name", { value: secret });

  const takenByWire = new Set(["an instance", "an object with a tag", "a symbol as a key"]);

  it.each<[string, unknown]>([
    ["a text with half a pair", { [secret]: `${secret}\ud800` }],
    ["a key with half a pair", { [secret]: { [`${secret}\ud800`]: secret } }],
    ["a large integer", { [secret]: [number] }],
    ["a function", { [secret]: Object.defineProperty(() => 1, "name", { value: secret }) }],
    ["a symbol", { [secret]: Symbol(secret) }],
    ["a symbol as a key", { [Symbol(secret)]: secret }],
    ["a bigint", { [secret]: 4111111111111111n }],
    ["an instance", { [secret]: new S3cretClass() }],
    [
      "an object with a tag",
      {
        [secret]: new (class {
          get [Symbol.toStringTag]() {
            return secret;
          }
        })(),
      },
    ],
    ["a map", { [secret]: new Map([[secret, secret]]) }],
    ["an error", { [secret]: new Error(secret) }],
    [
      "a getter that throws",
      {
        get [secret]() {
          throw new Error(secret);
        },
      },
    ],
    [
      "a getter that throws a text",
      {
        get [secret]() {
          throw secret;
        },
      },
    ],
    [
      "a toJSON that throws",
      {
        [secret]: {
          toJSON() {
            throw new Error(secret);
          },
        },
      },
    ],
    [
      "a date that cannot be one",
      {
        [secret]: Object.assign(new Date(0), {
          toISOString: () => {
            throw new Error(secret);
          },
        }),
      },
    ],
    [
      "a cycle",
      (() => {
        const value: Record<string, unknown> = {};
        value[secret] = value;
        return value;
      })(),
    ],
    ["a hole", { [secret]: new Array(2) }],
    ["a text that is too long", { [secret]: secret.repeat(1_000_000) }],
  ])("%s", (name, value) => {
    for (const run of Object.values(entries)) {
      // The wire form takes instances, and members that are named by symbols.
      if (run.name.startsWith("wire") && takenByWire.has(name)) continue;
      const error = refusalOf(() => run(value));
      const { message, stack, path, cause } = error;
      const shown = [
        message,
        stack,
        JSON.stringify(path),
        JSON.stringify(error),
        inspect(error, { depth: 9, showHidden: true, getters: true }),
        `${error}`,
      ].join("\n");
      expect(cause).toBeUndefined();
      for (const part of ["s3cret", "111111", "Ω"]) expect(shown).not.toContain(part);
    }
  });
});
