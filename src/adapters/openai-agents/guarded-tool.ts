/**
 * A tool of the OpenAI Agents SDK that holds a contract.
 *
 * @module
 */
import { type Contract, type ContractToolOptions, tool } from "../../contracts/index.ts";
import {
  type AgentsFunctionTool,
  type CallParameters,
  functionTool,
  type NotStrict,
  type Strict,
  tellModel,
} from "./function-tool.ts";

type Execute<Arguments, Result> = (args: Arguments, ...rest: CallParameters) => Result;
type Options<Arguments, Result> = ContractToolOptions<Arguments, CallParameters, Result>;

/**
 * The options of the SDK's `tool()` for a guarded tool: what `tool()` of the contracts does. A refused call is labelled
 * `schema`, and the model gets the contract's message as the tool's result: of an error, the SDK would tell it nothing.
 *
 * @throws TypeError or RangeError on wrong options
 * @example
 * ```ts
 * import { defineTools } from "agent-reliability-otel-labels/contracts";
 * import { guardedTool } from "agent-reliability-otel-labels/openai-agents";
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
 * const options = guardedTool(contracts.open_issue, async ({ title }) => `opened "${title}"`);
 * // tool(options)
 * ```
 */
export function guardedTool<Arguments, Result>(
  contract: Contract<Arguments>,
  execute: Execute<NoInfer<Arguments>, Result>,
  options?: Options<NoInfer<Arguments>, NoInfer<Result>> & Strict,
): AgentsFunctionTool<true>;
export function guardedTool<Arguments, Result>(
  contract: Contract<Arguments>,
  execute: Execute<NoInfer<Arguments>, Result>,
  options: Options<NoInfer<Arguments>, NoInfer<Result>> & NotStrict,
): AgentsFunctionTool<false>;
export function guardedTool<Arguments, Result>(
  contract: Contract<Arguments>,
  execute: Execute<NoInfer<Arguments>, Result>,
  options: Options<NoInfer<Arguments>, NoInfer<Result>> & (Strict | NotStrict) = {},
): AgentsFunctionTool<boolean> {
  const { strict = true, ...others } = options;
  return functionTool(contract, strict, tool(contract, execute, { onRefusal: tellModel, ...others }));
}
