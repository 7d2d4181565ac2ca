/**
 * The TypeScript type of the values that a schema of the subset allows, as far as types go.
 *
 * @module
 */
import type { StandardSource } from "./standard-schema.ts";

/** The type of the arguments that an `input` allows. */
export type ArgumentsOf<Input> = Input extends StandardSource
  ? NonNullable<Input["~standard"]["types"]>["input"]
  : ValueOf<Input>;

/** The type of the values that a schema allows. */
export type ValueOf<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly type: infer Type }
      ? OfType<Schema, Type extends readonly (infer One)[] ? One : Type>
      : unknown;

type OfType<Schema, Type> = Type extends "null"
  ? null
  : Type extends "boolean"
    ? boolean
    : Type extends "integer" | "number"
      ? number
      : Type extends "string"
        ? string
        : Type extends "array"
          ? Schema extends { readonly items: infer Items }
            ? ValueOf<Items>[]
            : unknown[]
          : Type extends "object"
            ? OfObject<Schema>
            : never;

type OfObject<Schema> = Schema extends { readonly properties: infer Members }
  ? Flat<
      {
        -readonly [Name in keyof Members as Name extends Required<Schema> ? Name : never]: ValueOf<
          Members[Name]
        >;
      } & {
        -readonly [Name in keyof Members as Name extends Required<Schema> ? never : Name]?: ValueOf<
          Members[Name]
        >;
      }
    >
  : { [name: string]: unknown };

type Required<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never;

type Flat<Type> = { [Name in keyof Type]: Type[Name] };
