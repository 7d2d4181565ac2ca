/**
 * The options of the SDK's `tool()` for a tool that a contract describes.
 *
 * @module
 */
import type { TrustablError } from "../../errors.ts";
import type { ToolCallDetails } from "./sdk-call.ts";

/** What the SDK calls a tool function with besides the arguments: its run context, and the details of the call. */
export type CallParameters = [context?: unknown, details?: ToolCallDetails];

/** OpenAI's strict mode, which the models of others may not have. What is enforced is the same. */
export interface Strict {
  /** Default `true`. */
  readonly strict?: true | undefined;
}
export interface NotStrict {
  readonly strict: false;
}

/** The options of the SDK's `tool()`. */
export interface AgentsFunctionTool<IsStrict extends boolean> {
  name: string;
  description: string;
  parameters: {
    type: "object";
    // biome-ignore lint/suspicious/noExplicitAny: a schema, whose type the SDK knows
    properties: Record<string, any>;
    required: string[];
    // The SDK's types want this; the schema says `false` in both.
    additionalProperties: IsStrict extends true ? false : true;
  };
  strict: IsStrict;
  execute: (input: unknown, ...rest: CallParameters) => Promise<unknown>;
}

interface Shown {
  readonly name: string;
  readonly description: string;
  jsonSchema(target: "openai" | "json-schema"): object;
}

/** Shows the JSON Schema only: the SDK then lets every call through to `execute`, which has better words for a refusal. */
export function functionTool(shown: Shown, strict: boolean, execute: unknown): AgentsFunctionTool<boolean> {
  const { name, description } = shown;
  const parameters = shown.jsonSchema(strict ? "openai" : "json-schema");
  return { name, description, parameters, strict, execute } as AgentsFunctionTool<boolean>;
}

/** The SDK adds to what a tool throws that the model try again; newer ones leave out the error. */
export const tellModel = (error: TrustablError): unknown => error.message;
