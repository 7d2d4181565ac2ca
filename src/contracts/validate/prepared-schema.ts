/**
 * A schema made ready for calls: expressions compiled, names and values in sets. Made once, when a contract is.
 *
 * @module
 */
import { JsonSet } from "../json-key.ts";
import { compilePattern } from "../pattern/pattern.ts";
import type { InputSchema, JsonValue, TypeName } from "../schema.ts";

/** Of one shape, whatever the schema: reading members of a hundred shapes took longer than all that is done with them. */
export interface PreparedSchema {
  readonly schema: InputSchema;
  readonly types: ReadonlySet<TypeName> | undefined;
  /** `enum` and `const`, each as a set. */
  readonly allowed: readonly (readonly ["enum" | "const", JsonSet])[];
  readonly minLength: number;
  readonly maxLength: number;
  readonly pattern: RegExp | undefined;
  readonly minimum: number;
  readonly maximum: number;
  readonly exclusiveMinimum: number;
  readonly exclusiveMaximum: number;
  readonly multipleOf: number | undefined;
  readonly minItems: number;
  readonly maxItems: number;
  readonly uniqueItems: boolean;
  readonly members: ReadonlyMap<string, PreparedSchema>;
  readonly required: readonly string[];
  readonly closed: boolean;
  /** The members that may be left out and may not be `null`. */
  readonly dropsNull: ReadonlySet<string>;
  readonly items: PreparedSchema | undefined;
  readonly allowsNull: boolean;
}

/** The types that `type` names. */
export function typesOf({ type }: InputSchema): readonly TypeName[] | undefined {
  return type === undefined || typeof type === "object" ? (type as readonly TypeName[] | undefined) : [type];
}

/** The values that `enum` and `const` leave, or `undefined` when the schema has neither. */
export function valuesOf(schema: InputSchema): readonly JsonValue[] | undefined {
  if (!Object.hasOwn(schema, "const")) return schema.enum;
  const value = schema.const!;
  return schema.enum === undefined || new JsonSet(schema.enum).has(value) ? [value] : [];
}

/** The types that a schema's values can have, where it says any. */
export function typesIn(schema: InputSchema): readonly TypeName[] {
  return typesOf(schema) ?? [...new Set((valuesOf(schema) ?? []).map(typeOfValue))];
}

function typeOfValue(value: JsonValue): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as "boolean" | "number" | "string" | "object";
}

/** Prepares a schema of the subset. The caller has made sure that it is one. */
export function prepareSchema(schema: InputSchema): PreparedSchema {
  const types = typesOf(schema);
  const values = valuesOf(schema);
  const required = schema.required ?? [];
  const members = new Map(
    Object.entries(schema.properties ?? {}).map(([name, member]) => [name, prepareSchema(member)]),
  );
  const allowed: (readonly ["enum" | "const", JsonSet])[] = [];
  if (schema.enum !== undefined) allowed.push(["enum", new JsonSet(schema.enum)]);
  if (Object.hasOwn(schema, "const")) allowed.push(["const", new JsonSet([schema.const!])]);
  return {
    schema,
    types: types === undefined ? undefined : new Set(types),
    allowed,
    minLength: schema.minLength ?? 0,
    maxLength: schema.maxLength ?? Infinity,
    minimum: schema.minimum ?? -Infinity,
    maximum: schema.maximum ?? Infinity,
    exclusiveMinimum: schema.exclusiveMinimum ?? -Infinity,
    exclusiveMaximum: schema.exclusiveMaximum ?? Infinity,
    multipleOf: schema.multipleOf,
    minItems: schema.minItems ?? 0,
    maxItems: schema.maxItems ?? Infinity,
    uniqueItems: schema.uniqueItems === true,
    pattern: schema.pattern === undefined ? undefined : compilePattern(schema.pattern),
    members,
    required,
    closed: schema.additionalProperties === false,
    dropsNull: new Set(
      [...members]
        .filter(([name, { allowsNull }]) => !allowsNull && !required.includes(name))
        .map(([name]) => name),
    ),
    items: schema.items === undefined ? undefined : prepareSchema(schema.items),
    allowsNull: (types?.includes("null") ?? true) && (values?.includes(null) ?? true),
  };
}
