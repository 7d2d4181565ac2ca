/**
 * A contract that has been checked, as an object: its own members are the data, all else is inherited, so that
 * `JSON.stringify` and an equality test see the data alone.
 *
 * @module
 */
import type { SideEffect } from "../../attributes/registry.ts";
import type { ClaimRequirement, Contract, ContractData, ContractEffect, Risk } from "../contract.ts";
import { jsonSchemaFor } from "../json-schema/json-schema.ts";
import { standardProperties } from "../json-schema/standard-properties.ts";
import type { SchemaTarget } from "../json-schema/targets.ts";
import type { JsonValue, ObjectSchema } from "../schema.ts";
import type { StandardProperties } from "../standard-schema.ts";
import { type PreparedSchema, prepareSchema } from "../validate/prepared-schema.ts";
import { validateArguments } from "../validate/validate-arguments.ts";
import type { Validation, ValidationOptions } from "../validation.ts";

export class DefinedContract<Arguments> implements Contract<Arguments> {
  declare readonly description: string;
  declare readonly title?: string;
  declare readonly input: ObjectSchema;
  declare readonly sideEffect?: SideEffect;
  declare readonly confirm: boolean;
  declare readonly risk?: Risk;
  declare readonly effect?: ContractEffect;
  declare readonly sensitive: boolean;
  declare readonly claim?: ClaimRequirement;
  readonly #name: string;
  readonly #schema: PreparedSchema;
  readonly #standard: StandardProperties<Arguments>;

  /** @param data frozen, and nobody else's */
  constructor(name: string, data: ContractData) {
    Object.assign(this, data);
    this.#name = name;
    this.#schema = prepareSchema(data.input);
    this.#standard = standardProperties(data, this.#schema);
    Object.freeze(this);
  }

  get name(): string {
    return this.#name;
  }

  get "~standard"(): StandardProperties<Arguments> {
    return this.#standard;
  }

  jsonSchema(target: SchemaTarget = "json-schema"): { [keyword: string]: JsonValue } {
    return jsonSchemaFor(this, target);
  }

  validate(args: unknown, options?: ValidationOptions): Validation<Arguments> {
    return validateArguments(args, this.#schema, options) as Validation<Arguments>;
  }
}
