/**
 * OpenAI's strict mode: every member is required, what was optional may be `null` instead, and the keywords that the service
 * refuses become words in the description, so that the model still reads them. The validator holds them in any case.
 *
 * @module
 */
import type { InputSchema, JsonValue, TypeName } from "../schema.ts";
import { describeBounds } from "../validate/describe.ts";
import { typesIn, valuesOf } from "../validate/prepared-schema.ts";

type Schema = { [keyword: string]: JsonValue };

/** The schema in strict mode: a fresh one. */
export function openAiSchema(schema: InputSchema, optional = false): Schema {
  const {
    minLength,
    maxLength,
    uniqueItems,
    default: fallback,
    properties,
    items,
    required,
    ...kept
  } = schema;
  const strict = { ...kept } as Schema;
  if (schema.const !== undefined) {
    // A constant that may also be null has two values.
    delete strict.const;
    strict.enum = [schema.const];
  }
  const values = valuesOf(schema);
  const types = typesIn(schema);
  const nullable = optional && !types.includes("null");
  const shownTypes: readonly TypeName[] = nullable ? [...types, "null"] : types;
  strict.type = shownTypes.length === 1 ? shownTypes[0]! : shownTypes;
  if (values !== undefined) strict.enum = nullable ? [...values, null] : values;
  if (types.includes("object") && values === undefined) {
    strict.properties = Object.fromEntries(
      Object.entries(properties ?? {}).map(([name, member]) => [
        name,
        openAiSchema(member, !(required ?? []).includes(name)),
      ]),
    );
    strict.required = Object.keys(properties ?? {});
  }
  if (items !== undefined) strict.items = openAiSchema(items);
  const description = [
    schema.description,
    sentence(
      describeBounds({
        ...(schema.type && { type: schema.type }),
        ...defined({ minLength, maxLength, uniqueItems }),
      }),
    ),
    fallback === undefined ? "" : `Default: ${JSON.stringify(fallback)}.`,
  ]
    .filter((part) => part !== undefined && part !== "")
    .join(" ");
  if (description !== "") strict.description = description;
  return strict;
}

function defined(keywords: { readonly [name: string]: unknown }): InputSchema {
  return Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== undefined));
}

function sentence(words: string): string {
  return words === "" ? "" : `${words[0]!.toUpperCase()}${words.slice(1)}.`;
}
