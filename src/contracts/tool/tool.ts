/**
 * A contract and its function, joined: validate, label, execute.
 *
 * @module
 */
import type { ToolFunction } from "../../tool/tool-definition.ts";
import type { Contract } from "../contract.ts";
import { type AnyToolOptions, guardedTool } from "./guarded-tool.ts";
import type { ContractToolOptions } from "./options.ts";

/** What a guarded tool gives: a stream stays a stream, everything else is awaited. */
export type GuardedResult<Result> = Result extends AsyncGenerator ? Result : Promise<Awaited<Result>>;

/**
 * Joins a contract and the function that does the work. A call that the contract refuses never reaches the function: it ends
 * with a {@link ContractViolationError}, whose message is for the model, and is labelled `schema` on the framework's tool
 * span. Others are labelled as `wrapTool` does, with the side effect that the contract says.
 *
 * The function gets a copy of the arguments, and after them whatever the framework calls it with. The result is a promise; an
 * async generator function stays one. Make it the outermost wrapper.
 *
 * @throws TypeError or RangeError on wrong options, here and never later
 * @example
 * ```ts
 * import { defineTools, tool } from "agent-reliability-otel-labels/contracts";
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
 *   },
 * });
 * declare function askOnCall(question: string): Promise<boolean>;
 *
 * export const rerunJob = tool(tools.rerun_job, async ({ job_id }) => `job ${job_id} started`, {
 *   confirmed: ({ job_id }) => askOnCall(`Run job ${job_id} again?`),
 * });
 * ```
 */
export function tool<Arguments, Rest extends unknown[], Result>(
  contract: Contract<Arguments>,
  execute: (args: NoInfer<Arguments>, ...rest: Rest) => Result,
  options: ContractToolOptions<NoInfer<Arguments>, Rest, NoInfer<Result>> = {},
): (args: Arguments, ...rest: Rest) => GuardedResult<Result> {
  if (typeof (contract as { validate?: unknown } | null | undefined)?.validate !== "function") {
    throw new TypeError("tool() expected a contract of a registry that defineTools() made");
  }
  if (typeof execute !== "function")
    throw new TypeError("tool() expected the tool function as its second parameter");
  for (const option of ["confirmed", "onRefusal"] as const) {
    if (options[option] !== undefined && typeof options[option] !== "function") {
      throw new TypeError(`"${option}" of tool() expected a function`);
    }
  }
  return guardedTool(contract, execute as ToolFunction, options as AnyToolOptions) as (
    args: Arguments,
    ...rest: Rest
  ) => GuardedResult<Result>;
}
