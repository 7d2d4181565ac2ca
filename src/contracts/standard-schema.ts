/**
 * The interfaces of Standard Schema 1.1 (standardschema.dev), as far as they are used here: structural, so that no package
 * is needed for them.
 *
 * @module
 */

interface StandardPathSegment {
  readonly key: PropertyKey;
}

export interface StandardIssue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | StandardPathSegment> | undefined;
}

export type StandardResult<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<StandardIssue> };

export interface StandardJsonSchemaOptions {
  /** `draft-2020-12`, `draft-07`, or another that the schema knows. */
  readonly target: "draft-2020-12" | "draft-07" | "openapi-3.0" | (string & {});
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** What a contract shows under `~standard`. */
export interface StandardProperties<Value> {
  readonly version: 1;
  /** This package's name: who made the schema. */
  readonly vendor: string;
  /** For the type checker: what goes in and comes out is the same. At run time it is not there. */
  readonly types?: { readonly input: Value; readonly output: Value } | undefined;
  /** Holds a value against the contract: gives a copy, or the problems. Nothing is thrown, and nothing is asynchronous. */
  readonly validate: (value: unknown) => StandardResult<Value>;
  /**
   * A fresh JSON Schema in the dialect of `target`. Both are the same, since validating changes no type; a target that is not
   * known throws.
   */
  readonly jsonSchema: {
    readonly input: (options: StandardJsonSchemaOptions) => Record<string, unknown>;
    readonly output: (options: StandardJsonSchemaOptions) => Record<string, unknown>;
  };
}

/** A schema of another library that can tell its JSON Schema: zod 4, valibot, ArkType. */
export interface StandardSource<Input = unknown> {
  /** What the library says of itself: its `vendor`, its types, and the JSON Schema of its input, which is asked for once. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: unknown } | undefined;
    readonly jsonSchema: { readonly input: (options: StandardJsonSchemaOptions) => Record<string, unknown> };
  };
}
