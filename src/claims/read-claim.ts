/**
 * Reading what the model put into the argument `claim`.
 *
 * @module
 */
import { type PreparedSchema, prepareSchema } from "../contracts/validate/prepared-schema.ts";
import { validateArguments } from "../contracts/validate/validate-arguments.ts";
import type { Problem } from "../contracts/validation.ts";
import { type ClaimVocabulary, claimSchema, type ToolInvocationExplanation } from "./claim.ts";
import { inSnakeCase } from "./spelling.ts";

/** What can be wrong with a claim. `undeclared_content`: a member that a claim does not have. */
export type ClaimFault = "missing" | "malformed" | "unknown_version" | "undeclared_content";

/** A claim, or what is wrong with it. */
export interface ClaimReading {
  readonly claim: ToolInvocationExplanation | undefined;
  readonly faults: ReadonlySet<ClaimFault>;
}

// An application has one vocabulary, and a schema of it is made ready once.
const prepared = new WeakMap<ClaimVocabulary, PreparedSchema>();

function schemaFor(vocabulary: ClaimVocabulary): PreparedSchema {
  let schema = prepared.get(vocabulary);
  if (schema === undefined) {
    schema = prepareSchema(claimSchema(vocabulary));
    prepared.set(vocabulary, schema);
  }
  return schema;
}

/**
 * Reads a claim. Nothing but an object of exactly the schema is one: no JSON text, no further member.
 *
 * @throws TypeError on a wrong vocabulary
 */
export function readClaim(value: unknown, vocabulary: ClaimVocabulary): ClaimReading {
  const schema = schemaFor(vocabulary);
  if (value === undefined || value === null) return faulty(["missing"]);
  if (typeof value !== "object") return faulty(["malformed"]);
  const answer = validateArguments(value, schema);
  if (!answer.ok) return faulty(answer.problems.map(faultOf));
  const claim = inSnakeCase(answer.value, vocabulary.spelling ?? "snake_case");
  return { claim: claim as ToolInvocationExplanation, faults: new Set() };
}

const faulty = (faults: readonly ClaimFault[]): ClaimReading => ({
  claim: undefined,
  faults: new Set(faults),
});

function faultOf({ path, keyword }: Problem): ClaimFault {
  if (keyword === "additionalProperties") return "undeclared_content";
  return keyword === "const" && path.startsWith("/schema") ? "unknown_version" : "malformed";
}
