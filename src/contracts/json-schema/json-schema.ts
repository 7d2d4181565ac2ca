/**
 * A contract's input as JSON Schema for its readers. The subset was chosen so that nearly all read the same text.
 *
 * @module
 */
import type { ContractData } from "../contract.ts";
import { copyData } from "../json-data.ts";
import type { JsonValue } from "../schema.ts";
import { openAiSchema } from "./openai-schema.ts";
import { SCHEMA_TARGETS, type SchemaTarget } from "./targets.ts";

/**
 * A fresh schema, since some consumers write on the one that they are given.
 *
 * @throws RangeError for an unknown target
 */
export function jsonSchemaFor(
  { input }: ContractData,
  target: SchemaTarget,
): { [keyword: string]: JsonValue } {
  if (!SCHEMA_TARGETS.includes(target)) {
    throw new RangeError(`jsonSchema() expected one of ${SCHEMA_TARGETS.join(", ")}`);
  }
  const schema = target === "openai" ? openAiSchema(input) : { properties: {}, ...input };
  return copyData(schema) as { [keyword: string]: JsonValue };
}
