/**
 * What is done to a copy of the arguments around the check: a `null` that means "left out" goes, defaults come.
 *
 * @module
 */
import { setOwn } from "../../fingerprint/set-own.ts";
import { copyData } from "../json-data.ts";
import type { JsonValue } from "../schema.ts";
import type { PreparedSchema } from "./prepared-schema.ts";

type Members = { [name: string]: JsonValue };

/** Removes every `null` of an optional member that may not be `null`. Changes `value`. */
export function dropNulls(value: JsonValue, schema: PreparedSchema): void {
  forEachObject(value, schema, (members, { dropsNull }) => {
    for (const name of Object.keys(members)) {
      if (members[name] === null && dropsNull.has(name)) delete members[name];
    }
  });
}

/** Fills in the defaults of members that are missing. Changes `value`, which the schema allows. */
export function fillDefaults(value: JsonValue, schema: PreparedSchema): void {
  forEachObject(value, schema, (members, { members: schemas }) => {
    for (const [name, { schema: member }] of schemas) {
      if (member.default !== undefined && !Object.hasOwn(members, name)) {
        setOwn(members, name, copyData(member.default));
      }
    }
  });
}

function forEachObject(
  value: JsonValue,
  schema: PreparedSchema,
  change: (members: Members, schema: PreparedSchema) => void,
): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined) for (const item of value) forEachObject(item, items, change);
    return;
  }
  const members = value as Members;
  change(members, schema);
  for (const name of Object.keys(members)) {
    const member = schema.members.get(name);
    if (member !== undefined) forEachObject(members[name]!, member, change);
  }
}
