/**
 * Whether a schema is one of the subset: closed, bounded, without a word that would be ignored and without a contradiction.
 *
 * @module
 */
import { MAX_SCHEMA_DEPTH, MAX_SCHEMAS } from "../bounds.ts";
import type { Fail } from "../contract-error.ts";
import { jsonKey } from "../json-key.ts";
import { below } from "../json-pointer.ts";
import { patternFault } from "../pattern/pattern.ts";
import { type InputSchema, type JsonValue, TYPE_NAMES, type TypeName } from "../schema.ts";
import { problemsOf } from "../validate/check.ts";
import { prepareSchema, typesIn, typesOf, valuesOf } from "../validate/prepared-schema.ts";
import { KEYWORDS } from "./keywords.ts";

/** Names that the harness gives meaning to, and names that not every provider takes. */
const PROPERTY_NAME = /^(?!__proto__$)[A-Za-z0-9_.-]{1,64}$/;

/** @throws through `fail` at the first place that is wrong */
export function checkSchema(schema: unknown, place: string, fail: Fail): void {
  new Checker(fail).check(schema, place, 1);
}

class Checker {
  readonly #fail: Fail;
  #count = 0;

  constructor(fail: Fail) {
    this.#fail = fail;
  }

  check(schema: unknown, place: string, depth: number): void {
    if (depth > MAX_SCHEMA_DEPTH || ++this.#count > MAX_SCHEMAS) {
      this.#fail(
        "unbounded",
        place,
        `at most ${MAX_SCHEMA_DEPTH} schemas inside one another and ${MAX_SCHEMAS} in all`,
      );
    }
    if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
      this.#fail("value", place, "a schema is an object");
    }
    const node: InputSchema = schema;
    this.#keywords(node, place);
    const types = this.#types(node, place);
    this.#applicable(node, types, place);
    this.#bounds(node, types, place);
    this.#ranges(node, place);
    for (const [name, member] of Object.entries(node.properties ?? {})) {
      const at = below(`${place}/properties`, name);
      if (!PROPERTY_NAME.test(name)) {
        this.#fail("value", at, "names of arguments are 1 to 64 of A-Z a-z 0-9 _ . -");
      }
      this.check(member, at, depth + 1);
    }
    if (node.items !== undefined) this.check(node.items, `${place}/items`, depth + 1);
    this.#values(node, place);
  }

  #keywords(schema: InputSchema, place: string): void {
    for (const [name, value] of Object.entries(schema)) {
      const keyword = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name as keyof InputSchema] : undefined;
      if (keyword === undefined) {
        this.#fail("keyword", below(place, name), `the keywords are ${Object.keys(KEYWORDS).join(", ")}`);
      }
      if (!keyword.accepts(value)) this.#fail("value", `${place}/${name}`, `expected ${keyword.allowed}`);
    }
  }

  /** The types that a value can have. */
  #types(schema: InputSchema, place: string): readonly TypeName[] {
    const types: unknown = typesOf(schema);
    if (types === undefined) {
      if (valuesOf(schema) === undefined) {
        this.#fail("unbounded", place, "a schema has type, enum or const");
      }
      return typesIn(schema);
    }
    const valid =
      Array.isArray(types) &&
      types.length > 0 &&
      new Set(types).size === types.length &&
      types.every((type) => TYPE_NAMES.includes(type));
    if (!valid) {
      this.#fail("value", `${place}/type`, `expected one or several different of ${TYPE_NAMES.join(", ")}`);
    }
    return types as readonly TypeName[];
  }

  #applicable(schema: InputSchema, types: readonly TypeName[], place: string): void {
    for (const name of Object.keys(schema) as (keyof InputSchema)[]) {
      const speaksOf = KEYWORDS[name].types;
      const numeric = speaksOf?.includes("number") === true && types.includes("integer");
      if (speaksOf !== undefined && !numeric && !speaksOf.some((type) => types.includes(type))) {
        this.#fail(
          "keyword",
          `${place}/${name}`,
          `the keyword says nothing about a value of type ${types.join(", ")}`,
        );
      }
    }
  }

  #bounds(schema: InputSchema, types: readonly TypeName[], place: string): void {
    if (valuesOf(schema) === undefined) {
      if (types.includes("object") && schema.additionalProperties !== false) {
        this.#fail("open_object", place, "an object says additionalProperties: false");
      }
      if (types.includes("string") && schema.maxLength === undefined) {
        this.#fail("unbounded", place, "a string has maxLength, enum or const");
      }
      if (types.includes("array") && schema.maxItems === undefined) {
        this.#fail("unbounded", place, "an array has maxItems");
      }
      if (types.includes("array") && schema.items === undefined) {
        this.#fail("unbounded", place, "an array says what its items are");
      }
    }
    if (schema.pattern === undefined) return;
    if (schema.maxLength === undefined) {
      this.#fail("unbounded", place, "a pattern stands beside maxLength only");
    }
    const fault = patternFault(schema.pattern);
    if (fault !== undefined) this.#fail("pattern", `${place}/pattern`, fault);
  }

  #ranges(schema: InputSchema, place: string): void {
    for (const name of schema.required ?? []) {
      if (!Object.hasOwn(schema.properties ?? {}, name)) {
        this.#fail("value", `${place}/required`, "every required member is one of properties");
      }
    }
    const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema;
    const least = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity);
    const most = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
    if (least > most || (least === most && (least === exclusiveMinimum || most === exclusiveMaximum))) {
      this.#fail("value", place, "the lower bound of a number is below its upper bound");
    }
    if ((schema.minLength ?? 0) > (schema.maxLength ?? Infinity)) {
      this.#fail("value", place, "minLength is not above maxLength");
    }
    if ((schema.minItems ?? 0) > (schema.maxItems ?? Infinity)) {
      this.#fail("value", place, "minItems is not above maxItems");
    }
  }

  // A listed value that the other keywords refuse is a promise to the model that no call can keep.
  #values(schema: InputSchema, place: string): void {
    if (schema.enum !== undefined) {
      if (new Set(schema.enum.map(jsonKey)).size < schema.enum.length) {
        this.#fail("value", `${place}/enum`, "every value is listed once");
      }
      const { enum: values, ...others } = schema;
      if (!values.every((value) => isAllowed(value, others))) {
        this.#fail("value", `${place}/enum`, "every listed value is allowed by the other keywords");
      }
    }
    if (schema.const !== undefined && !isAllowed(schema.const, schema)) {
      this.#fail("value", `${place}/const`, "the value is allowed by the other keywords");
    }
    if (schema.default !== undefined && !isAllowed(schema.default, schema)) {
      this.#fail("value", `${place}/default`, "the default is a value that the schema allows");
    }
  }
}

function isAllowed(value: JsonValue, schema: InputSchema): boolean {
  return problemsOf(value, prepareSchema(schema)).length === 0;
}
