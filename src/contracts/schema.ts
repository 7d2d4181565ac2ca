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
  /** One type, or a list of different ones. Every schema has this, `enum` or `const`. */
  readonly type?: TypeName | readonly TypeName[] | undefined;
  /** The values that are allowed; not empty. */
  readonly enum?: readonly JsonValue[] | undefined;
  /** The one value that is allowed. */
  readonly const?: JsonValue | undefined;
  /** The members of an object, by name; no other is allowed. */
  readonly properties?: { readonly [name: string]: InputSchema } | undefined;
  /** Names of the members that have to be there, each once and each in `properties`. Default: none. */
  readonly required?: readonly string[] | undefined;
  /** Every object says `false`. */
  readonly additionalProperties?: false | undefined;
  /** What each value of a list has to be. Every list says it. */
  readonly items?: InputSchema | undefined;
  /** Values in a list, at least. Default 0. */
  readonly minItems?: number | undefined;
  /** Values in a list, at most. Every list has this bound. */
  readonly maxItems?: number | undefined;
  /** `true`: no two values of the list may be equal. Default `false`. */
  readonly uniqueItems?: boolean | undefined;
  /** The smallest number that is allowed. */
  readonly minimum?: number | undefined;
  /** The largest number that is allowed. */
  readonly maximum?: number | undefined;
  /** Numbers have to be above this. */
  readonly exclusiveMinimum?: number | undefined;
  /** Numbers have to be below this. */
  readonly exclusiveMaximum?: number | undefined;
  /** Numbers have to be a whole multiple of this, counted in decimal: 19.99 is one of 0.01. Above 0. */
  readonly multipleOf?: number | undefined;
  /** Length of a text at least, in code points. Default 0. */
  readonly minLength?: number | undefined;
  /** Length of a text at most, in code points. Every text has this, `enum` or `const`. */
  readonly maxLength?: number | undefined;
  /**
   * A regular expression, anchored with `^` and `$`, that a text has to match. It stands beside `maxLength` only, and one
   * that cannot be read in linear time is refused.
   */
  readonly pattern?: string | undefined;
  /** A name for people; not blank. */
  readonly title?: string | undefined;
  /** What the value is for, shown to the model; not blank. */
  readonly description?: string | undefined;
  /** What the option `applyDefaults` fills in where the member is missing. Otherwise it only tells the model. */
  readonly default?: JsonValue | undefined;
}

/** The schema of a tool's arguments: an object that says so, and is closed. */
export interface ObjectSchema extends InputSchema {
  readonly type: "object";
  readonly additionalProperties: false;
}
