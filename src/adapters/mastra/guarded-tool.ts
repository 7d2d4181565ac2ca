/**
 * A tool of Mastra that holds a contract by itself. Mastra validates what it is given as `inputSchema` before the tool, in
 * words of its own and with nothing on the span that says what became of the call.
 *
 * @module
 */
import { type Contract, type ContractToolOptions, tool } from "../../contracts/index.ts";
import { callIdOf, spanOfCall, type ToolContext } from "./tool-span.ts";

/** The options of Mastra's `createTool()`. */
export interface MastraGuardedTool<Arguments, Result> {
  /** The contract's name. */
  readonly id: string;
  /** The contract's description, for the model. */
  readonly description: string;
  /** Shows the contract and lets every call through to the tool. */
  readonly inputSchema: Pick<Contract<Arguments>, "~standard">;
  /** Validates, labels and runs. A refused call rejects with a `ContractViolationError`, unless `onRefusal` answers it. */
  // biome-ignore lint/suspicious/noExplicitAny: Mastra's own type of what a tool is called with
  readonly execute: (input: any, context?: any) => Promise<Awaited<Result>>;
}

/**
 * The options of `createTool()` for a guarded tool: what `tool()` of the contracts does, on Mastra's span of the call. A
 * refused call is labelled `schema`, and the model gets the contract's message.
 *
 * Mastra's approval is a confirmation where the tool requires it: `createTool({ ...guardedTool(contract, execute, { confirmed:
 * () => true }), requireApproval: true })`.
 *
 * @throws TypeError or RangeError on wrong options
 * @example
 * ```ts
 * import { defineTools } from "agent-reliability-otel-labels/contracts";
 * import { guardedTool } from "agent-reliability-otel-labels/mastra";
 *
 * declare function createTool(options: object): object; // of Mastra
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
 * export const openIssue = createTool(guardedTool(contracts.open_issue, async ({ title }) => `opened "${title}"`));
 * ```
 */
export function guardedTool<Arguments, Result>(
  contract: Contract<Arguments>,
  execute: (args: NoInfer<Arguments>, context: ToolContext) => Result,
  options: ContractToolOptions<NoInfer<Arguments>, [ToolContext], NoInfer<Result>> = {},
): MastraGuardedTool<Arguments, Result> {
  const run = tool(contract, execute, { callId: callIdOf, span: spanOfCall, ...options });
  const { name, description, "~standard": standard } = contract;
  return {
    id: name,
    description,
    inputSchema: { "~standard": { ...standard, validate: (value) => ({ value: value as Arguments }) } },
    execute: run as unknown as MastraGuardedTool<Arguments, Result>["execute"],
  };
}
