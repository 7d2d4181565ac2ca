/**
 * What a contract says a call touches, checked against its own input: a pointer that leads nowhere would answer "nothing".
 *
 * @module
 */
import { type ContractData, OPERATIONS } from "../contract.ts";
import type { Fail } from "../contract-error.ts";
import { tokensOf } from "../json-pointer.ts";
import type { InputSchema, JsonValue } from "../schema.ts";
import { typesOf, valuesOf } from "../validate/prepared-schema.ts";

const MEMBERS = ["operation", "resourceType", "resourceIds", "maxItems", "destination"];
/** Operations that a tool without effects does not do. */
const CHANGES = ["create", "update", "delete", "send"];

/** @throws through `fail` */
export function checkEffect({ input, sideEffect, effect }: ContractData, fail: Fail): void {
  if (effect === undefined) return;
  const members = effect as unknown as { readonly [name: string]: JsonValue };
  for (const member of Object.keys(members)) {
    if (!MEMBERS.includes(member)) {
      fail("keyword", "/effect", `the members of an effect are ${MEMBERS.join(", ")}`);
    }
  }
  const { operation, resourceType, resourceIds, maxItems, destination } = members;
  if (!OPERATIONS.includes(operation as never)) {
    fail("value", "/effect/operation", `one of ${OPERATIONS.join(", ")}`);
  }
  if (CHANGES.includes(operation as string) && (sideEffect === "pure" || sideEffect === "read")) {
    fail("value", "/effect/operation", `a tool whose sideEffect is ${sideEffect} changes nothing`);
  }
  if (resourceType !== undefined && (typeof resourceType !== "string" || !/^\S.{0,63}$/.test(resourceType))) {
    fail("value", "/effect/resourceType", "a text of at most 64 characters that is not blank");
  }
  if (typeof maxItems === "string") {
    if (!leadsToCount(input, maxItems)) {
      fail(
        "pointer",
        "/effect/maxItems",
        "a JSON pointer to an argument that is a whole number of at least 0",
      );
    }
  } else if (maxItems !== undefined && !(Number.isSafeInteger(maxItems) && (maxItems as number) > 0)) {
    fail("value", "/effect/maxItems", "a whole number above 0, or a JSON pointer to one");
  }
  if (resourceIds !== undefined && !leadsToNames(input, resourceIds, true)) {
    fail(
      "pointer",
      "/effect/resourceIds",
      "a JSON pointer to an argument that is a string, a whole number, or a list of these",
    );
  }
  if (destination !== undefined && !leadsToNames(input, destination, false)) {
    fail("pointer", "/effect/destination", "a JSON pointer to an argument that is a string");
  }
}

/** The schema of the argument that a pointer leads to. */
function schemaAt(input: InputSchema, pointer: JsonValue): InputSchema | undefined {
  const tokens = typeof pointer === "string" ? tokensOf(pointer) : undefined;
  if (tokens === undefined || tokens.length === 0) return undefined;
  let schema: InputSchema | undefined = input;
  for (const token of tokens) {
    const members: { readonly [name: string]: InputSchema } = schema?.properties ?? {};
    schema = Object.hasOwn(members, token) ? members[token] : undefined;
  }
  return schema;
}

function leadsToCount(input: InputSchema, pointer: string): boolean {
  const schema = schemaAt(input, pointer);
  return schema !== undefined && typesOf(schema)?.join() === "integer" && (schema.minimum ?? -1) >= 0;
}

function leadsToNames(input: InputSchema, pointer: JsonValue, orLists: boolean): boolean {
  const schema = schemaAt(input, pointer);
  if (schema === undefined) return false;
  if (isName(schema, orLists)) return true;
  return (
    orLists && typesOf(schema)?.join() === "array" && schema.items !== undefined && isName(schema.items, true)
  );
}

function isName(schema: InputSchema, orNumber: boolean): boolean {
  const isNameType = (type: string) => type === "string" || (orNumber && type === "integer");
  const types = typesOf(schema);
  if (types !== undefined) return types.every(isNameType);
  return (
    valuesOf(schema)?.every((value) => isNameType(Number.isInteger(value) ? "integer" : typeof value)) ===
    true
  );
}
