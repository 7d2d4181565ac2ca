/**
 * The claim: what the model says that a call is about to do. Untrusted input, read by one schema and nothing else.
 *
 * @module
 */
import { OPERATIONS, type Operation, RISKS, type Risk } from "../contracts/contract.ts";
import type { InputSchema, ObjectSchema } from "../contracts/schema.ts";
import { DIGEST_PATTERN, type Digest } from "./digest.ts";
import { type Spelling, spelled } from "./spelling.ts";

/** The version of the claim's form. */
export const SCHEMA_VERSION = "ebte-0.1";

/** Bounds of what a claim may hold. */
const MAX_ENTRIES = 32;
const MAX_LENGTH = 256;

/** What a claim can refer to as evidence. */
export const EVIDENCE_TYPES = ["intent", "policy", "payload"] as const;

/** A claim, in the spelling of its specification. */
export interface ToolInvocationExplanation {
  readonly schema_version: typeof SCHEMA_VERSION;
  /** One of the application's intent classes. */
  readonly intent_class: string;
  /** The registered name of the tool that is called. */
  readonly selected_tool: string;
  readonly expected_effect: {
    readonly operation: Operation;
    readonly resource_type: string | null;
    readonly resource_ids: readonly string[];
    /** Upper bound of the items that are touched. */
    readonly max_items: number;
    readonly destination: string | null;
  };
  readonly risk_tier: Risk;
  readonly uncertainty: Risk;
  /** Every untrusted input that the call depends on; an empty list is a claim too. */
  readonly untrusted_context: readonly { readonly source: string; readonly digest: Digest }[];
  readonly evidence_refs: readonly {
    readonly type: (typeof EVIDENCE_TYPES)[number];
    readonly digest: Digest;
  }[];
  /** Advisory: no check reads it, and no record has it. */
  readonly summary?: string | undefined;
}

/** The words that an application lets claims use. */
export interface ClaimVocabulary {
  /** The closed set of intent classes, such as `read`, `update`, `send`. */
  readonly intentClasses: readonly string[];
  /** The closed set of types of resources. Default: any short text. */
  readonly resourceTypes?: readonly string[] | undefined;
  /** How members are spelled, one way in an application. Default `snake_case`. */
  readonly spelling?: Spelling | undefined;
}

const text: InputSchema = { type: "string", maxLength: MAX_LENGTH };
const name: InputSchema = { ...text, minLength: 1 };
const digest: InputSchema = { type: "string", pattern: DIGEST_PATTERN, maxLength: 71 };
const level: InputSchema = { enum: RISKS };

function closed(properties: Record<string, InputSchema>, optional: readonly string[] = []): ObjectSchema {
  const required = Object.keys(properties).filter((property) => !optional.includes(property));
  return { type: "object", additionalProperties: false, required, properties };
}

const list = (items: InputSchema): InputSchema => ({ type: "array", maxItems: MAX_ENTRIES, items });

/**
 * The JSON Schema of a claim: what the model is shown as the argument `claim`, and what claims are read by.
 *
 * @throws TypeError on a vocabulary that is no closed, bounded set of words
 */
export function claimSchema(vocabulary: ClaimVocabulary): ObjectSchema {
  const { intentClasses, resourceTypes, spelling = "snake_case" } = vocabulary;
  const schema = closed(
    {
      schema_version: { const: SCHEMA_VERSION },
      intent_class: { enum: words("intentClasses", intentClasses), description: "What the call is for." },
      selected_tool: { ...name, description: "The name of the tool that is called." },
      expected_effect: {
        ...closed({
          operation: { enum: OPERATIONS },
          resource_type:
            resourceTypes === undefined
              ? { ...text, type: ["string", "null"] }
              : { enum: [...words("resourceTypes", resourceTypes), null] },
          resource_ids: { ...list(name), description: "Every resource that the call touches." },
          max_items: { type: "integer", minimum: 0, description: "How many items the call touches at most." },
          destination: {
            ...text,
            type: ["string", "null"],
            description: "Where the call sends to; null if nowhere.",
          },
        }),
        description: "What the call does. The arguments must not go beyond it.",
      },
      risk_tier: level,
      uncertainty: level,
      untrusted_context: {
        ...list(closed({ source: name, digest })),
        description: "Every untrusted input (page, mail, file, tool output) that the call depends on.",
      },
      evidence_refs: list(closed({ type: { enum: EVIDENCE_TYPES }, digest })),
      summary: { ...text, description: "Optional, for people." },
    },
    ["summary"],
  );
  return spelled(schema, spelling);
}

function words(option: string, values: readonly string[]): readonly string[] {
  const valid =
    Array.isArray(values) &&
    values.length > 0 &&
    values.every((word) => typeof word === "string" && word !== "" && word.length <= MAX_LENGTH);
  if (!valid) throw new TypeError(`"${option}" of a claim's vocabulary expected a list of short words`);
  return values;
}
