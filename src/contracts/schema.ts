/**
 * The words a contract's input may use: a closed subset of JSON Schema 2020-12, as types.
 *
 * @module
 */

/** A JSON value. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** The values of `type`. */
export const TYPE_NAMES = ["null", "boolean", "integer", "number", "string", "array", "object"] as const;
/** A value of `type` in a schema. */
export type TypeName = (typeof TYPE_NAMES)[number];

/** The schema of one value. Nothing but these keywords is allowed in it, at any depth. */
export interface InputSchema {
  readonly type?: TypeName | readonly TypeName[] | undefined;
  readonly enum?: readonly JsonValue[] | undefined;
  readonly const?: JsonValue | undefined;
  readonly properties?: { readonly [name: string]: InputSchema } | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: false | undefined;
  readonly items?: InputSchema | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly uniqueItems?: boolean | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
  readonly multipleOf?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly default?: JsonValue | undefined;
}

/** The schema of a tool's arguments: an object that says so, and is closed. */
export interface ObjectSchema extends InputSchema {
  readonly type: "object";
  readonly additionalProperties: false;
}
