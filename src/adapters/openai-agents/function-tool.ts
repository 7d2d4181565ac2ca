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
  /** The contract's name. */
  name: string;
  /** The contract's description, for the model. */
  description: string;
  /**
   * The contract's JSON Schema; in strict mode in OpenAI's dialect, where every member is required and an optional one may be
   * `null`.
   */
  parameters: {
    type: "object";
    // biome-ignore lint/suspicious/noExplicitAny: a schema, whose type the SDK knows
    properties: Record<string, any>;
    required: string[];
    // The SDK's types want this; the schema says `false` in both.
    additionalProperties: IsStrict extends true ? false : true;
  };
  /** OpenAI's strict mode. What the tool enforces is the same without it. */
  strict: IsStrict;
  /**
   * Validates, labels and runs. A refusal is no error: the model gets its message as the result, unless `onRefusal` says
   * otherwise.
   */
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
