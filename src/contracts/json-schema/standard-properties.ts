/**
 * A contract as Standard Schema and Standard JSON Schema, so that frameworks take it as it is.
 *
 * @module
 */
import type { ContractData } from "../contract.ts";
import { tokensOf } from "../json-pointer.ts";
import type { StandardJsonSchemaOptions, StandardProperties, StandardResult } from "../standard-schema.ts";
import { problemsOf } from "../validate/check.ts";
import { expectation } from "../validate/message.ts";
import type { PreparedSchema } from "../validate/prepared-schema.ts";
import { validateArguments } from "../validate/validate-arguments.ts";
import type { Problem } from "../validation.ts";
import { jsonSchemaFor } from "./json-schema.ts";

/** Drafts that the subset says the same thing in. */
const DRAFTS = ["draft-2020-12", "draft-2019-09", "draft-07"];

/** What a contract shows under `~standard`. */
export function standardProperties<Arguments>(
  data: ContractData,
  schema: PreparedSchema,
): StandardProperties<Arguments> {
  const convert = ({ target }: StandardJsonSchemaOptions): Record<string, unknown> => {
    if (!DRAFTS.includes(target)) throw new RangeError(`a contract converts to ${DRAFTS.join(", ")}`);
    return jsonSchemaFor(data, "json-schema");
  };
  return Object.freeze({
    version: 1,
    vendor: "agent-reliability-otel-labels",
    validate: (value: unknown) => validate<Arguments>(value, schema),
    jsonSchema: Object.freeze({ input: convert, output: convert }),
  });
}

function validate<Arguments>(value: unknown, schema: PreparedSchema): StandardResult<Arguments> {
  // A text is not the object that it may hold, to a caller of this interface.
  if (typeof value === "string") return { issues: issuesOf(problemsOf(value, schema)) };
  const validation = validateArguments(value, schema);
  return validation.ok ? { value: validation.value as Arguments } : { issues: issuesOf(validation.problems) };
}

/** One problem, as Standard Schema has it. Holds nothing that the caller sent. */
export interface ContractIssue {
  /** What is allowed there, in words. */
  readonly message: string;
  /** Names that the contract declares, and indices; empty for the arguments. */
  readonly path: readonly PropertyKey[];
}

/** Problems as the issues of Standard Schema. */
export function issuesOf(problems: readonly Problem[]): readonly ContractIssue[] {
  return problems.map((problem) => ({
    message: expectation(problem),
    path: (tokensOf(problem.path) ?? []).map((token) => (/^[0-9]+$/.test(token) ? Number(token) : token)),
  }));
}
