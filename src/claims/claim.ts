/**
 * The claim: what the model says that a call is about to do. Untrusted input, read by one schema and nothing else.
 *
 * @module
 */
import { OPERATIONS, RISKS } from "../contracts/contract.ts";
import type { ObjectSchema } from "../contracts/schema.ts";
import type { ValueOf } from "../contracts/schema-type.ts";
import { DIGEST_PATTERN } from "./digest.ts";
import { type Spelling, spelled } from "./spelling.ts";

/** The version of the claim's form. */
export const SCHEMA_VERSION = "ebte-0.1";

/** What a claim can refer to as evidence. */
export const EVIDENCE_TYPES = ["intent", "policy", "payload"] as const;

/** Bounds of what a claim may hold. */
const MAX_ENTRIES = 32;
const MAX_LENGTH = 256;

const name = { type: "string", minLength: 1, maxLength: MAX_LENGTH } as const;
const nameOrNull = { type: ["string", "null"], maxLength: MAX_LENGTH } as const;
const digest = { type: "string", pattern: DIGEST_PATTERN, maxLength: 71 } as const;
const level = { enum: RISKS } as const;

/** What a claim is, in any application. The type and what the model is shown both come from here. */
const CLAIM = {
  type: "object",
  additionalProperties: false,
  required: [
    "schema_version",
    "intent_class",
    "selected_tool",
    "expected_effect",
    "risk_tier",
    "uncertainty",
    "untrusted_context",
    "evidence_refs",
  ],
  properties: {
    schema_version: { const: SCHEMA_VERSION },
    intent_class: { ...name, description: "What the call is for." },
    selected_tool: { ...name, description: "The name of the tool that is called." },
    expected_effect: {
      type: "object",
      additionalProperties: false,
      required: ["operation", "resource_type", "resource_ids", "max_items", "destination"],
      properties: {
        operation: { enum: OPERATIONS },
        resource_type: nameOrNull,
        resource_ids: {
          type: "array",
          maxItems: MAX_ENTRIES,
          items: name,
          description: "Every resource that the call touches.",
        },
        max_items: { type: "integer", minimum: 0, description: "How many items the call touches at most." },
        destination: { ...nameOrNull, description: "Where the call sends to; null if nowhere." },
      },
      description: "What the call does. The arguments must not go beyond it.",
    },
    risk_tier: level,
    uncertainty: level,
    untrusted_context: {
      type: "array",
      maxItems: MAX_ENTRIES,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["source", "digest"],
        properties: { source: name, digest },
      },
      description:
        "Every untrusted input (page, mail, file, tool output) that the call depends on; an empty list is a claim too.",
    },
    evidence_refs: {
      type: "array",
      maxItems: MAX_ENTRIES,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["type", "digest"],
        properties: { type: { enum: EVIDENCE_TYPES }, digest },
      },
    },
    summary: {
      type: "string",
      maxLength: MAX_LENGTH,
      description: "Optional, for people: no check reads it, and no record has it.",
    },
  },
} as const satisfies ObjectSchema;

/** A claim, in the spelling of its specification. */
export type ToolInvocationExplanation = ValueOf<typeof CLAIM>;

/** The words that an application lets claims use. */
export interface ClaimVocabulary {
  /** The closed set of intent classes, such as `read`, `update`, `send`. */
  readonly intentClasses: readonly string[];
  /** The closed set of types of resources. Default: any short text. */
  readonly resourceTypes?: readonly string[] | undefined;
  /** How members are spelled, one way in an application. Default `snake_case`. */
  readonly spelling?: Spelling | undefined;
}

/**
 * The JSON Schema of a claim: what the model is shown as the argument `claim`, and what claims are read by.
 *
 * @throws TypeError on a vocabulary that is no closed, bounded set of words
 */
export function claimSchema(vocabulary: ClaimVocabulary): ObjectSchema {
  const { intentClasses, resourceTypes, spelling = "snake_case" } = vocabulary;
  const { properties } = CLAIM;
  const { description } = properties.intent_class;
  const effect = properties.expected_effect;
  const resourceType =
    resourceTypes === undefined ? nameOrNull : { enum: [...words("resourceTypes", resourceTypes), null] };
  return spelled(
    {
      ...CLAIM,
      properties: {
        ...properties,
        intent_class: { enum: words("intentClasses", intentClasses), description },
        expected_effect: { ...effect, properties: { ...effect.properties, resource_type: resourceType } },
      },
    },
    spelling,
  );
}

function words(option: string, values: readonly string[]): readonly string[] {
  const valid =
    Array.isArray(values) &&
    values.length > 0 &&
    values.every((word) => typeof word === "string" && word !== "" && word.length <= MAX_LENGTH);
  if (!valid) throw new TypeError(`"${option}" of a claim's vocabulary expected a list of short words`);
  return values;
}
