/**
 * Who reads a JSON Schema of a contract.
 *
 * @module
 */

/**
 * - `json-schema`: the contract's own text, JSON Schema 2020-12 and draft 7 alike
 * - `openai`: strict mode, where every member is required and an optional one may be `null`
 * - `anthropic`, `mcp`, `ai-sdk`: as they read it
 */
export const SCHEMA_TARGETS = ["json-schema", "openai", "anthropic", "mcp", "ai-sdk"] as const;
/**
 * Who reads a JSON Schema of a contract: `json-schema` anybody, `openai` its strict mode; `anthropic`, `mcp` and `ai-sdk` as
 * they read it.
 */
export type SchemaTarget = (typeof SCHEMA_TARGETS)[number];
