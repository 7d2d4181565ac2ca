/**
 * A tool of ADK that holds a contract by itself: ADK validates only what it is given as a zod schema.
 *
 * @module
 */
import { type Contract, type ContractToolOptions, tool } from "../../contracts/index.ts";
import { type CallContext, callIdOf } from "./call-context.ts";

/** The options of ADK's `FunctionTool`. */
export interface AdkGuardedTool<Result> {
  /** The contract's name. */
  readonly name: string;
  /** The contract's description, for the model. */
  readonly description: string;
  /**
   * The contract's JSON Schema (draft 2020-12) with a `$schema`, by which ADK's client knows it from its own kind of schema.
   */
  // biome-ignore lint/suspicious/noExplicitAny: ADK's type is of its own kind of schema; its client takes a JSON Schema too
  readonly parameters: any;
  /**
   * Validates, labels and runs. A refused call rejects with a `ContractViolationError` or a `MediationError`, unless
   * `onRefusal` answers it.
   */
  // biome-ignore lint/suspicious/noExplicitAny: ADK's own type of what a tool is called with
  readonly execute: (input: any, context?: any) => Promise<Awaited<Result>>;
}

/**
 * The options of ADK's `FunctionTool` for a guarded tool: what `tool()` of the contracts does. A refused call is labelled
 * `schema` on ADK's span of the call, and the model gets the contract's message.
 *
 * @throws TypeError or RangeError on wrong options
 * @example
 * ```ts
 * import { defineTools } from "agent-reliability-otel-labels/contracts";
 * import { guardedTool } from "agent-reliability-otel-labels/google-adk";
 *
 * declare const FunctionTool: new (options: object) => object; // of ADK
 *
 * const contracts = defineTools({
 *   open_issue: {
 *     description: "Open an issue in the tracker.",
 *     input: {
 *       type: "object",
 *       additionalProperties: false,
 *       required: ["title"],
 *       properties: { title: { type: "string", maxLength: 80 } },
 *     },
 *     sideEffect: "write",
 *   },
 * });
 * export const openIssue = new FunctionTool(guardedTool(contracts.open_issue, async ({ title }) => ({ opened: title })));
 * ```
 */
export function guardedTool<Arguments, Result>(
  contract: Contract<Arguments>,
  execute: (args: NoInfer<Arguments>, context: CallContext) => Result,
  options: ContractToolOptions<NoInfer<Arguments>, [CallContext], NoInfer<Result>> = {},
): AdkGuardedTool<Result> {
  const run = tool(contract, execute, { callId: callIdOf, ...options });
  return {
    name: contract.name,
    description: contract.description,
    parameters: shownOf(contract),
    execute: run as unknown as AdkGuardedTool<Result>["execute"],
  };
}

/** A JSON Schema as ADK's client passes it on unchanged: it tells one from its own kind of schema by `$schema`. */
export function shownOf(shown: Pick<Contract, "jsonSchema">): object {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...shown.jsonSchema() };
}
