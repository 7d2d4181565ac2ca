/** Random schemas of the subset, and values that nearly fit them. */
import fc from "fast-check";
import type { InputSchema, JsonValue, ObjectSchema } from "../../src/contracts/schema.ts";

const PATTERNS = ["^[0-9]{1,3}$", "^[a-c]*$", "^(?:a|b)+c?$", "^[^a]{0,2}$", "^(?:ab|ac)$"];

const word = fc.stringMatching(/^[a-c0-9]{0,4}$/);
const text = fc.oneof(
  { weight: 4, arbitrary: word },
  fc.string({ maxLength: 4, unit: "grapheme" }),
  fc.constantFrom("💩", "💩💩", "\ud800", "__proto__", "constructor", "1"),
);
const number = fc.oneof(fc.integer({ min: -6, max: 6 }), fc.constantFrom(0.5, -0.5, 2.5, 1e10, -0, 1.5));
export const scalar: fc.Arbitrary<JsonValue> = fc.oneof(text, number, fc.boolean(), fc.constant(null));
export const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "toString", "__proto__"), tie("value"), { maxKeys: 3 }),
  ),
})).value;

const few = fc.nat({ max: 4 });
const range = fc.tuple(few, few).map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);

const strings: fc.Arbitrary<InputSchema> = fc
  .record({ range, least: fc.boolean(), pattern: fc.option(fc.constantFrom(...PATTERNS)) })
  .map(({ range: [min, max], least, pattern }) => ({
    type: "string",
    maxLength: max,
    ...(least && { minLength: min }),
    ...(pattern !== null && { pattern }),
  }));

const numbers: fc.Arbitrary<InputSchema> = fc
  .record({
    type: fc.constantFrom("integer" as const, "number" as const),
    low: fc.option(fc.constantFrom(-4, -2.5, -1, 0)),
    high: fc.option(fc.constantFrom(1, 2, 2.5, 5)),
    exclusive: fc.tuple(fc.boolean(), fc.boolean()),
    multipleOf: fc.option(fc.constantFrom(1, 2, 3, 0.5)),
  })
  .map(({ type, low, high, exclusive, multipleOf }) => ({
    type,
    ...(low !== null && (exclusive[0] ? { exclusiveMinimum: low } : { minimum: low })),
    ...(high !== null && (exclusive[1] ? { exclusiveMaximum: high } : { maximum: high })),
    ...(multipleOf !== null && { multipleOf }),
  }));

/** What a contract can list: values that have a canonical text. */
const listed = scalar.filter((value) => value !== "\ud800");

const lists: fc.Arbitrary<InputSchema> = fc
  .uniqueArray(fc.oneof(listed, fc.constantFrom<JsonValue>([1], ["a", null], { a: 1 }, { b: [2] }, {})), {
    minLength: 1,
    maxLength: 4,
    comparator: (one, other) =>
      JSON.stringify(one) === JSON.stringify(other) || Object.is(one, -0) || one === other,
  })
  .chain((values) => fc.boolean().map((single) => (single ? { const: values[0]! } : { enum: values })));

const simple: fc.Arbitrary<InputSchema> = fc.oneof(
  strings,
  numbers,
  lists,
  fc.constantFrom<InputSchema>({ type: "boolean" }, { type: "null" }, { type: ["null", "boolean"] }),
  strings.map((schema): InputSchema => ({ ...schema, type: ["string", "null"] })),
  fc
    .tuple(strings, numbers)
    .map(([one, other]): InputSchema => ({ ...one, ...other, type: ["string", "integer"] })),
);

interface Schemas {
  schema: InputSchema;
  object: ObjectSchema;
}

const schemas = fc.letrec<Schemas>((tie) => ({
  schema: fc.oneof<fc.MaybeWeightedArbitrary<InputSchema>[]>(
    { depthSize: "small", withCrossShrink: true },
    { weight: 4, arbitrary: simple },
    fc
      .record({
        items: tie("schema") as fc.Arbitrary<InputSchema>,
        range,
        least: fc.boolean(),
        unique: fc.option(fc.boolean()),
      })
      .map(
        ({ items, range: [min, max], least, unique }): InputSchema => ({
          type: "array",
          items,
          maxItems: max,
          ...(least && { minItems: min }),
          ...(unique !== null && { uniqueItems: unique }),
        }),
      ),
    tie("object") as fc.Arbitrary<ObjectSchema>,
  ),
  object: fc
    .dictionary(fc.constantFrom("a", "b", "c", "toString"), tie("schema") as fc.Arbitrary<InputSchema>, {
      maxKeys: 3,
    })
    .chain((properties) =>
      fc.subarray(Object.keys(properties)).map(
        (required): ObjectSchema => ({
          type: "object",
          additionalProperties: false,
          ...(Object.keys(properties).length > 0 && { properties: { ...properties } }),
          ...(required.length > 0 && { required }),
        }),
      ),
    ),
}));

/** A schema of the subset, in most cases of one value. */
export const inputSchema: fc.Arbitrary<InputSchema> = schemas.schema;
/** The schema of a contract's arguments. */
export const objectSchema: fc.Arbitrary<ObjectSchema> = schemas.object;

/** Values that a schema allows or nearly allows. */
export function valueFor(schema: InputSchema): fc.Arbitrary<JsonValue> {
  return fc.oneof({ weight: 5, arbitrary: fitting(schema) }, anyJson);
}

function fitting(schema: InputSchema): fc.Arbitrary<JsonValue> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const types = [schema.type ?? []].flat();
  return fc.oneof(
    ...types.map((type): fc.Arbitrary<JsonValue> => {
      switch (type) {
        case "string":
          return fc.oneof(text, fc.constantFrom("1", "12", "abc", "ab", "ac", "b"));
        case "integer":
        case "number":
          return number;
        case "boolean":
          return fc.boolean();
        case "null":
          return fc.constant(null);
        case "array":
          return fc.array(schema.items === undefined ? anyJson : valueFor(schema.items), { maxLength: 5 });
        default:
          return fc
            .record(
              Object.fromEntries(
                Object.entries(schema.properties ?? {}).map(([name, member]) => [name, valueFor(member)]),
              ),
              { requiredKeys: (schema.required ?? []) as never },
            )
            .map((value) => ({ ...value }));
      }
    }),
  );
}
