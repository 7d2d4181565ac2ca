/**
 * What a contract is: data about one tool, written by people, read by the model, the validator and the reviewer alike.
 *
 * @module
 */
import type { SideEffect } from "../attributes/registry.ts";
import type { SchemaTarget } from "./json-schema/targets.ts";
import type { JsonValue, ObjectSchema } from "./schema.ts";
import type { StandardProperties, StandardSource } from "./standard-schema.ts";
import type { Validation, ValidationOptions } from "./validation.ts";

/** How much harm a call can do, in the application's own judgement. */
export const RISKS = ["low", "medium", "high"] as const;
/** How much harm a call can do, in the application's own judgement: `low`, `medium` or `high`. */
export type Risk = (typeof RISKS)[number];

/** What a call does to its resources. */
export const OPERATIONS = ["read", "create", "update", "delete", "send", "execute"] as const;
/** What a call does to its resources: `read`, `create`, `update`, `delete`, `send` or `execute`. */
export type Operation = (typeof OPERATIONS)[number];

/** Whether a call has to carry a claim of what it is about to do. */
export const CLAIMS = ["required", "none"] as const;
/** `required`: a call has to carry a claim of what it is about to do. `none`: it need not. */
export type ClaimRequirement = (typeof CLAIMS)[number];

/** What a call touches, told by the arguments themselves and never by the model's word. */
export interface ContractEffect {
  /** What the call does. A claim that says another operation is denied. */
  readonly operation: Operation;
  /** The kind of thing that is touched, such as `job`. */
  readonly resourceType?: string | undefined;
  /** JSON pointer (RFC 6901) into the arguments, to a string, or a list of strings, that name what is touched. */
  readonly resourceIds?: string | undefined;
  /**
   * How many resources one call may touch at most: a number, or a JSON pointer to an argument that says it. Default: as many
   * as `resourceIds` names.
   */
  readonly maxItems?: number | string | undefined;
  /** JSON pointer into the arguments, to where something is sent. */
  readonly destination?: string | undefined;
}

/** What a contract says besides its input. */
export interface ContractTerms {
  /** What the tool does, for the model. */
  readonly description: string;
  /** A name for people, not blank. Default: none; it is not made from the key. */
  readonly title?: string | undefined;
  /** What the tool can do to the world; becomes the label. Not said: counts as the gravest where it is judged. */
  readonly sideEffect?: SideEffect | undefined;
  /** The call needs a confirmation from outside the model. Default `false`. */
  readonly confirm?: boolean | undefined;
  /** Not said: counts as `high` where it is judged. */
  readonly risk?: Risk | undefined;
  /** What a call touches. Not said: a claim cannot be compared with the arguments, so that a call with one needs a review. */
  readonly effect?: ContractEffect | undefined;
  /** Short secrets are among the arguments or results: no fingerprint of them is written. Default `false`. */
  readonly sensitive?: boolean | undefined;
  /** Not said: counts as `required` where it is judged. */
  readonly claim?: ClaimRequirement | undefined;
}

/** A contract as it is written. */
export interface ContractDefinition extends ContractTerms {
  /** The arguments: a schema of the subset, or a Standard Schema that can tell its JSON Schema. */
  readonly input: ObjectSchema | StandardSource;
}

/** A contract as data: what `JSON.stringify` gives, and what is compared and digested. */
export interface ContractData extends ContractTerms {
  /** The arguments, as the closed subset of JSON Schema: converted where the definition gave a Standard Schema. */
  readonly input: ObjectSchema;
  readonly confirm: boolean;
  readonly sensitive: boolean;
}

/** A contract that has been checked: deeply frozen data that knows its name and can validate. */
export interface Contract<Arguments = unknown> extends ContractData {
  /** The tool's name. Not a member of the JSON, where the registry's key has it. */
  readonly name: string;
  /** Standard Schema and Standard JSON Schema: frameworks that take one take the contract as it is. */
  readonly "~standard": StandardProperties<Arguments>;
  /** A fresh JSON Schema of the arguments, in the dialect of its consumer. */
  jsonSchema(target?: SchemaTarget): { [keyword: string]: JsonValue };
  /** Holds arguments (an object, or its JSON text) against the contract; knows nothing of a confirmation. */
  validate(args: unknown, options?: ValidationOptions): Validation<Arguments>;
}

/** Contracts by the name of their tool, as `defineTools` gives them. */
export type ContractRegistry = { readonly [name: string]: Contract };
