/** What the tests of this folder share. */
import fc from "fast-check";
import {
  CanonicalizationError,
  canonicalFp,
  canonicalJson,
  prepareVolatileKeys,
  stripVolatile,
  wireFp,
  wireJson,
} from "../../src/fingerprint/index.ts";

export const volatile = prepareVolatileKeys();

/** Every function that takes a value, by name. */
export const entries: Readonly<Record<string, (value: unknown) => unknown>> = {
  canonicalJson: (value) => canonicalJson(value),
  canonicalFp: (value) => canonicalFp(value),
  stripVolatile: (value) => stripVolatile(value),
  wireJson: (value) => wireJson(value, volatile),
  wireFp: (value) => wireFp(value, volatile),
};

export const strictEntries = ["canonicalJson", "canonicalFp", "stripVolatile"].map(
  (name): [string, (value: unknown) => unknown] => [name, entries[name]!],
);
export const wireEntries = ["wireJson", "wireFp"].map((name): [string, (value: unknown) => unknown] => [
  name,
  entries[name]!,
]);

/** The error that `run` throws. Fails when it throws none, or another one. */
export function refusalOf(run: () => unknown): CanonicalizationError {
  let result: unknown;
  try {
    result = run();
  } catch (error) {
    if (error instanceof CanonicalizationError) return error;
    throw new Error("something else than a CanonicalizationError was thrown", { cause: error });
  }
  throw new Error(`nothing was thrown, the result is ${typeof result}`);
}

/** Code and path in one line, for tables: `not_finite at 1.0.0`. */
export function said(error: CanonicalizationError): string {
  return error.path.length === 0 ? error.code : `${error.code} at ${error.path.join(".")}`;
}

/** `[0, <hole>, 2]`. */
export function withHole(): unknown[] {
  const array: unknown[] = [0, 1, 2];
  delete array[1];
  return array;
}

/** Keys where implementations slip: inherited names, numbers, pairs, escapes, almost volatile ones. */
const key = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 6 }) },
  fc.string({ unit: "grapheme", maxLength: 4 }),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "toString",
    "toJSON",
    "length",
    "",
    "0",
    "1",
    "10",
    "9",
    "-1",
    "1e3",
    "4294967295",
    "😀",
    "\uffff",
    "\ud7ff",
    '"',
    "\\",
    "\n",
    "\u2028",
    "ts",
    "Cursor",
    "TIMESTAMP",
    "page_to\u212aen",
    "tss",
    "createdAt",
  ),
);

const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.maxSafeInteger(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((n) => !Number.isInteger(n) || Number.isSafeInteger(n)),
  fc.constantFrom(-0, 5e-324, 1e-7, 9007199254740991, 0.1),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 10 }),
  fc.constantFrom("\u0000\u001f\u007f\u2028\u2029", '"\\/', "😀", "é→"),
);

/** An object of those entries; `__proto__` is data. */
export function objectOf(entriesOfObject: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entriesOfObject);
}

/** JSON values, as `JSON.parse` could give them. */
export const json: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 6 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 6 }).map(objectOf),
  ),
})).value;
