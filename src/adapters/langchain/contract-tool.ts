/**
 * A LangChain tool that is held to a contract.
 *
 * @module
 */
import type { Contract, ContractToolOptions } from "../../contracts/index.ts";
import { tool } from "../../contracts/tool/tool.ts";
import { type CallConfig, type LangChainToolParameters, parametersOf } from "./tool-parameters.ts";

/**
 * The parameters of LangChain's `tool()` for a tool with a contract. The model is shown the contract's schema, and a call
 * that it refuses is answered with what was wrong, and labelled `schema`. Give the tool to {@link labelTools} to have its
 * calls labelled.
 *
 * A contract itself is no `schema` for `tool()`: LangChain's validator writes on the schemas that it gets, and a contract is
 * frozen.
 *
 * @throws TypeError or RangeError on wrong options
 * @example
 * ```ts
 * import { defineTools } from "agent-reliability-otel-labels/contracts";
 * import { contractTool } from "agent-reliability-otel-labels/langchain";
 *
 * const contracts = defineTools({
 *   close_ticket: {
 *     description: "Close one ticket.",
 *     input: {
 *       type: "object",
 *       additionalProperties: false,
 *       required: ["id"],
 *       properties: { id: { type: "string", maxLength: 12 } },
 *     },
 *   },
 * });
 * const closeTicket = contractTool(contracts.close_ticket, async ({ id }) => `closed ${id}`);
 * // const tools = labelTools([tool(...closeTicket)]), with LangChain's `tool`
 * ```
 */
export function contractTool<Arguments, Result, Config extends CallConfig = CallConfig>(
  contract: Contract<Arguments>,
  execute: (args: NoInfer<Arguments>, config: Config) => Result,
  options: ContractToolOptions<NoInfer<Arguments>, [Config], NoInfer<Result>> = {},
): LangChainToolParameters<string, Config, Result> {
  return parametersOf(contract.name, contract, tool(contract, execute, options));
}
