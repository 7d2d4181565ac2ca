/**
 * The two spellings of a claim's members. Checks know one of them.
 *
 * @module
 */
import type { InputSchema, ObjectSchema } from "../contracts/schema.ts";

/** How the members of a claim are spelled. */
export const SPELLINGS = ["snake_case", "camelCase"] as const;

/** One of {@link SPELLINGS}. */
export type Spelling = (typeof SPELLINGS)[number];

const toCamel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A schema with its members spelled in the given way. */
export function spelled(schema: ObjectSchema, spelling: Spelling): ObjectSchema {
  return spelling === "snake_case" ? schema : (withCamelMembers(schema) as ObjectSchema);
}

function withCamelMembers(schema: InputSchema): InputSchema {
  const { properties, required, items } = schema;
  return {
    ...schema,
    ...(required && { required: required.map(toCamel) }),
    ...(items && { items: withCamelMembers(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [toCamel(name), withCamelMembers(member)]),
      ),
    }),
  };
}

/** A claim that was read, with its members spelled as the checks know them. */
export function inSnakeCase(value: unknown, spelling: Spelling): unknown {
  if (spelling === "snake_case" || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => inSnakeCase(entry, spelling));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [toSnake(name), inSnakeCase(member, spelling)]),
  );
}
