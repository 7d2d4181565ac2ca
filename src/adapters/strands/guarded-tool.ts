/**
 * A tool of Strands that holds a contract by itself. Strands does not validate what it is given as a JSON Schema, and validates
 * a zod schema in words of its own.
 *
 * @module
 */
import { type Contract, type ContractToolOptions, tool } from "../../contracts/index.ts";
import type { JsonValue } from "../../contracts/schema.ts";
import { callIdOf, type ToolContext } from "./tool-context.ts";

/** The options of Strands' `tool()`. */
export interface StrandsGuardedTool<Result> {
  /** The contract's name. */
  readonly name: string;
  /** The contract's description, for the model. */
  readonly description: string;
  /** The contract's JSON Schema, which Strands shows and does not enforce. */
  readonly inputSchema: { [keyword: string]: JsonValue };
  /**
   * Validates, labels and runs. A refused call rejects with a `ContractViolationError` or a `MediationError`, unless
   * `onRefusal` answers it.
   */
  // biome-ignore lint/suspicious/noExplicitAny: Strands' own type of what a tool is called with
  readonly callback: (input: unknown, context?: any) => Promise<Awaited<Result>>;
}

/**
 * The options of Strands' `tool()` for a guarded tool: what `tool()` of the contracts does. A refused call is labelled `schema`
 * on Strands' span of the call, and the model gets the contract's message.
 *
 * @throws TypeError or RangeError on wrong options
 * @example
 * ```ts
 * import { defineTools } from "agent-reliability-otel-labels/contracts";
 * import { guardedTool } from "agent-reliability-otel-labels/strands";
 *
 * declare function tool(options: object): object; // of Strands
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
 * export const openIssue = tool(guardedTool(contracts.open_issue, async ({ title }) => `opened "${title}"`));
 * ```
 */
export function guardedTool<Arguments, Result>(
  contract: Contract<Arguments>,
  execute: (args: NoInfer<Arguments>, context: ToolContext) => Result,
  options: ContractToolOptions<NoInfer<Arguments>, [ToolContext], NoInfer<Result>> = {},
): StrandsGuardedTool<Result> {
  return {
    name: contract.name,
    description: contract.description,
    inputSchema: contract.jsonSchema(),
    callback: tool(contract, execute, {
      callId: callIdOf,
      ...options,
    }) as unknown as StrandsGuardedTool<Result>["callback"],
  };
}
