/**
 * Making a registry of contracts: everything is checked here, so that nothing about a contract can be wrong at a call.
 *
 * @module
 */
import { stripVolatile } from "../../fingerprint/index.ts";
import { isPlain } from "../../fingerprint/prototypes.ts";
import { setOwn } from "../../fingerprint/set-own.ts";
import type { Contract, ContractData, ContractDefinition } from "../contract.ts";
import { ContractError, type Fail } from "../contract-error.ts";
import { nameFault } from "../names.ts";
import type { JsonValue } from "../schema.ts";
import type { ArgumentsOf } from "../schema-type.ts";
import { checkEffect } from "./check-effect.ts";
import { checkSchema } from "./check-schema.ts";
import { checkReserved, checkTerms } from "./check-terms.ts";
import { DefinedContract } from "./defined-contract.ts";
import { fromStandardSchema, isStandardSource } from "./from-standard-schema.ts";

/** The registry that `defineTools` makes of these definitions. */
export type Tools<Definitions> = {
  readonly [Name in keyof Definitions]: Contract<
    Definitions[Name] extends { readonly input: infer Input } ? ArgumentsOf<Input> : unknown
  >;
};

const MAX_TOOLS = 1_000;

/**
 * Makes a registry of contracts. It is deeply frozen, is data (`defineTools(JSON.parse(JSON.stringify(tools)))` is an equal
 * one), and knows the type of each tool's arguments.
 *
 * @param contracts by the name of their tool: lower snake case that says what is done to what
 * @throws {ContractError} on the first thing that is wrong
 * @example
 * ```ts
 * import { defineTools } from "agent-reliability-otel-labels/contracts";
 *
 * const tools = defineTools({
 *   rerun_job: {
 *     description: "Run one failed CI job again.",
 *     input: {
 *       type: "object",
 *       additionalProperties: false,
 *       required: ["job_id"],
 *       properties: { job_id: { type: "string", pattern: "^[0-9]{1,12}$", maxLength: 12 } },
 *     },
 *     sideEffect: "write",
 *     confirm: true,
 *     risk: "medium",
 *     effect: { operation: "execute", resourceType: "job", resourceIds: "/job_id", maxItems: 1 },
 *   },
 * });
 * tools.rerun_job.validate({ job_id: "latest" }).ok; // false
 * ```
 */
export function defineTools<const Definitions extends { readonly [name: string]: ContractDefinition }>(
  contracts: Definitions,
): Tools<Definitions> {
  if (typeof contracts !== "object" || contracts === null || Array.isArray(contracts)) {
    throw new ContractError(
      "value",
      "",
      "",
      "a registry is an object of contracts by the name of their tool",
    );
  }
  const names = Object.keys(contracts);
  if (names.length > MAX_TOOLS) {
    throw new ContractError("unbounded", "", "", `a registry has at most ${MAX_TOOLS} contracts`);
  }
  const registry = {};
  for (const name of names) setOwn(registry, name, defineContract(name, contracts[name]));
  return Object.freeze(registry) as Tools<Definitions>;
}

function defineContract(name: string, definition: unknown): Contract {
  const fail: Fail = (code, place, allowed) => {
    throw new ContractError(code, name, place, allowed);
  };
  const fault = nameFault(name);
  if (fault !== undefined) fail("name", "", fault);
  if (typeof definition !== "object" || definition === null || Array.isArray(definition)) {
    return fail("value", "", "a contract is an object with a description and an input");
  }
  const terms = present(definition);
  checkTerms(terms, fail);
  const { input } = terms;
  const schema = dataOf(isStandardSource(input) ? fromStandardSchema(input, fail) : input, "/input", fail);
  checkSchema(schema, "/input", fail);
  // In one order, so that two texts of a registry differ where they differ.
  const data = present({
    title: terms.title,
    description: terms.description,
    input: schema,
    sideEffect: terms.sideEffect,
    confirm: terms.confirm ?? false,
    risk: terms.risk,
    effect: terms.effect === undefined ? undefined : dataOf(terms.effect, "/effect", fail),
    sensitive: terms.sensitive ?? false,
    claim: terms.claim,
  }) as unknown as ContractData;
  if (data.input.type !== "object") fail("value", "/input/type", 'arguments are of type "object"');
  checkReserved(data, fail);
  checkEffect(data, fail);
  return new DefinedContract(name, deepFreeze(data));
}

function present(members: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** A copy that is only data. */
function dataOf(value: unknown, place: string, fail: Fail): JsonValue {
  if (typeof value !== "object" || value === null || !isPlain(value)) {
    return fail("value", place, "a schema is an object");
  }
  try {
    // Through the text as well, so that the registry equals the one that its JSON makes: -0 is 0 there.
    return JSON.parse(JSON.stringify(stripVolatile(value, { volatileKeys: [] }))) as JsonValue;
  } catch {
    return fail(
      "not_json",
      place,
      "JSON data that has a canonical text: no functions, class instances, cycles, unpaired surrogates, or integers beyond 2^53 - 1",
    );
  }
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const member of Object.values(value)) {
    if (typeof member === "object" && member !== null) deepFreeze(member);
  }
  return Object.freeze(value);
}
