/**
 * What the model is shown of a tool whose calls carry a claim: the contract with one more argument.
 *
 * @module
 */
import type { Contract } from "../contracts/contract.ts";
import { defineTools } from "../contracts/define/define-tools.ts";
import type { SchemaTarget } from "../contracts/json-schema/targets.ts";
import type { JsonValue } from "../contracts/schema.ts";
import type { StandardProperties } from "../contracts/standard-schema.ts";
import { type ClaimVocabulary, claimSchema, type ToolInvocationExplanation } from "./claim.ts";
import { CLAIM_ARGUMENT } from "./split-claim.ts";

/** A contract's arguments and the claim. */
export type WithClaim<Arguments> = Arguments & {
  /** What the model says that the call is about to do. Untrusted; the tool's function never sees it. */
  claim: ToolInvocationExplanation;
};

/** A tool as the model is shown it. Frameworks that take a Standard Schema take it as it is. */
export interface ShownTool<Arguments = unknown> {
  /** The contract's name. */
  readonly name: string;
  /** The contract's description. It says nothing of the claim, whose own schema does. */
  readonly description: string;
  /** A fresh JSON Schema of the arguments, in the dialect of its consumer. */
  jsonSchema(target?: SchemaTarget): { [keyword: string]: JsonValue };
  /**
   * For frameworks that take a Standard Schema. It accepts every value: the mediation step and the contract judge the call.
   */
  readonly "~standard": StandardProperties<Arguments>;
}

/**
 * The contract as the model is shown it, with the argument `claim`. A contract that says `claim: "none"` is shown as it is.
 *
 * As a Standard Schema it lets every call through to the tool, where the mediation step and the contract stand: a framework
 * that refused a malformed claim by itself would leave no record, and tell the model more than a coarse reason.
 *
 * @throws TypeError on a wrong vocabulary, or a contract that has an argument `claim` of its own
 * @example
 * ```ts
 * import { withClaim } from "agent-reliability-otel-labels/claims";
 * import { defineTools } from "agent-reliability-otel-labels/contracts";
 *
 * const tools = defineTools({
 *   read_mail: {
 *     description: "Read one mail.",
 *     input: {
 *       type: "object",
 *       additionalProperties: false,
 *       required: ["id"],
 *       properties: { id: { type: "string", maxLength: 40 } },
 *     },
 *   },
 * });
 * const shown = withClaim(tools.read_mail, { intentClasses: ["read"] });
 * shown.jsonSchema("openai"); // has the argument "claim"
 * ```
 */
export function withClaim<Arguments>(
  contract: Contract<Arguments>,
  vocabulary: ClaimVocabulary,
): ShownTool<WithClaim<Arguments>> {
  const shown = contract.claim === "none" ? contract : claiming(contract, vocabulary);
  const { name, description } = contract;
  return Object.freeze({
    name,
    description,
    jsonSchema: (target?: SchemaTarget) => shown.jsonSchema(target),
    "~standard": Object.freeze({
      ...shown["~standard"],
      validate: (value: unknown) => ({ value }),
    }) as StandardProperties<WithClaim<Arguments>>,
  });
}

function claiming(contract: Contract, vocabulary: ClaimVocabulary): Contract {
  const { name, description, input } = contract;
  const { properties = {}, required = [] } = input;
  if (Object.hasOwn(properties, CLAIM_ARGUMENT)) {
    throw new TypeError(`the contract "${name}" has an argument "claim" of its own; give it another name`);
  }
  const shown = defineTools({
    [name]: {
      description,
      input: {
        ...input,
        properties: {
          ...properties,
          [CLAIM_ARGUMENT]: {
            ...claimSchema(vocabulary),
            description: "What this call is about to do. It is compared with what was authorized.",
          },
        },
        required: [...required, CLAIM_ARGUMENT],
      },
    },
  });
  return shown[name] as Contract;
}
