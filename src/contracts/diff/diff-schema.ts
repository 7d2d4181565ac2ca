/**
 * What a change of a schema does to the values that it allows. Complete: where a value is allowed that was not, a loosening
 * is noted. Where that cannot be told from two keywords (one pattern for another), it is noted too.
 *
 * @module
 */
import { jsonKey } from "../json-key.ts";
import { below } from "../json-pointer.ts";
import type { InputSchema, JsonValue, TypeName } from "../schema.ts";
import { problemsOf } from "../validate/check.ts";
import { prepareSchema, typesOf, valuesOf } from "../validate/prepared-schema.ts";
import type { Note } from "./change.ts";
import { diffArrays, diffNumbers, diffStrings } from "./diff-bounds.ts";

export function diffSchema(before: InputSchema, after: InputSchema, place: string, note: Note): void {
  diffAnnotations(before, after, place, note);
  const [known, wanted] = [finiteValues(before), finiteValues(after)];
  if (wanted !== undefined) {
    diffValues(before, after, known, wanted, place, note);
  } else if (known !== undefined) {
    note("loosening", place, "no longer a closed list of values", known, undefined);
  } else {
    diffTypes(before, after, place, note);
  }
}

function diffAnnotations(before: InputSchema, after: InputSchema, place: string, note: Note): void {
  for (const keyword of ["title", "description", "default"] as const) {
    const [one, other] = [before[keyword], after[keyword]];
    if (!isSame(one, other)) note("neutral", `${place}/${keyword}`, `${keyword} changed`, one, other);
  }
}

/** All values that a schema allows, where it lists them or they are few by type. */
function finiteValues(schema: InputSchema): readonly JsonValue[] | undefined {
  const values = valuesOf(schema);
  if (values !== undefined) return values;
  const types = typesOf(schema) ?? [];
  if (!types.every((type) => type === "null" || type === "boolean")) return undefined;
  return types.flatMap((type): JsonValue[] => (type === "null" ? [null] : [true, false]));
}

function diffValues(
  before: InputSchema,
  after: InputSchema,
  known: readonly JsonValue[] | undefined,
  wanted: readonly JsonValue[],
  place: string,
  note: Note,
): void {
  const at =
    after.enum !== undefined ? `${place}/enum` : after.const !== undefined ? `${place}/const` : place;
  const gained = refusedBy(before, wanted);
  if (gained.length > 0) note("loosening", at, "values added", known, gained);
  if (known === undefined) note("tightening", at, "now a closed list of values", undefined, wanted);
  else {
    const lost = refusedBy(after, known);
    if (lost.length > 0) note("tightening", at, "values removed", lost, wanted);
  }
}

function refusedBy(schema: InputSchema, values: readonly JsonValue[]): readonly JsonValue[] {
  const prepared = prepareSchema(schema);
  return values.filter((value) => problemsOf(value, prepared).length > 0);
}

function diffTypes(before: InputSchema, after: InputSchema, place: string, note: Note): void {
  const [known, wanted] = [reachedTypes(before), reachedTypes(after)];
  const gained = [...wanted].filter((type) => !known.has(type));
  const lost = [...known].filter((type) => !wanted.has(type));
  if (gained.length > 0) note("loosening", `${place}/type`, "types added", before.type, after.type);
  if (lost.length > 0) note("tightening", `${place}/type`, "types removed", before.type, after.type);
  const both = (type: TypeName) => known.has(type) && wanted.has(type);
  if (both("string")) diffStrings(before, after, place, note);
  if (both("integer")) diffNumbers(before, after, place, note);
  if (both("array")) {
    diffArrays(before, after, place, note);
    diffSchema(before.items ?? {}, after.items ?? {}, `${place}/items`, note);
  }
  if (both("object")) diffObjects(before, after, place, note);
}

/** The types of a schema's values; a number can be an integer. */
function reachedTypes(schema: InputSchema): ReadonlySet<TypeName> {
  const types = typesOf(schema) ?? [];
  return new Set(types.includes("number") ? [...types, "integer"] : types);
}

function diffObjects(before: InputSchema, after: InputSchema, place: string, note: Note): void {
  const [known, wanted] = [before.properties ?? {}, after.properties ?? {}];
  const [needed, needs] = [before.required ?? [], after.required ?? []];
  for (const name of new Set([...Object.keys(known), ...Object.keys(wanted)])) {
    const at = below(`${place}/properties`, name);
    const [one, other] = [ownMember(known, name), ownMember(wanted, name)];
    if (one === undefined) note("loosening", at, "field added", undefined, other as JsonValue);
    else if (other === undefined) note("tightening", at, "field removed", one as JsonValue, undefined);
    else diffSchema(one, other, at, note);
    const [was, is] = [needed.includes(name), needs.includes(name)];
    if (was && !is) note("loosening", `${place}/required`, "field no longer required", name, undefined);
    if (is && !was) note("tightening", `${place}/required`, "field required", undefined, name);
  }
}

function ownMember<Value>(members: { readonly [name: string]: Value }, name: string): Value | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return jsonKey(one) === jsonKey(other);
}
