/**
 * A tool of the OpenAI Agents SDK whose calls carry a claim: what the model is shown, when a person is asked, and what runs.
 *
 * @module
 */
import type { MediatedTools } from "../../claims/index.ts";
import type { Contract, ContractRegistry, ContractToolOptions } from "../../contracts/index.ts";
import { report } from "../../labels/diagnostics.ts";
import {
  type AgentsFunctionTool,
  type CallParameters,
  functionTool,
  type NotStrict,
  type Strict,
  tellModel,
} from "./function-tool.ts";

/** The options of the SDK's `tool()`. */
export interface AgentsMediatedTool<IsStrict extends boolean> extends AgentsFunctionTool<IsStrict> {
  /**
   * Asked by the SDK before the call: `true` when a person has to agree, `false` for a call that runs and for one that is
   * denied.
   */
  needsApproval: (context: unknown, input: unknown, callId?: string) => Promise<boolean>;
}

type ArgumentsIn<Entry> = Entry extends Contract<infer Arguments> ? Arguments : never;
type Execute<Entry, Result> = (args: ArgumentsIn<Entry>, ...rest: CallParameters) => Result;
type Options<Entry, Result> = ContractToolOptions<ArgumentsIn<Entry>, CallParameters, Result>;

/**
 * The options of `tool()` for a tool behind the mediation step. A call that needs a review becomes an interruption; answer it
 * with `approveCall()`. `state.approve()` alone is not enough: with `alwaysApprove` the SDK holds calls for approved that
 * nobody has seen, and a stored state is what its storage says.
 *
 * The model reads the reason of a refusal as the tool's result: of an error, the SDK would tell it nothing. Guardrails of the
 * SDK were not used, since a call that one has rejected never gets to the tool, and would stay without a label.
 *
 * @throws RangeError on a name that is not in the registry
 * @example
 * ```ts
 * import { mediate } from "agent-reliability-otel-labels/claims";
 * import { defineTools } from "agent-reliability-otel-labels/contracts";
 * import { mediatedTool } from "agent-reliability-otel-labels/openai-agents";
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
 *     risk: "medium",
 *     effect: { operation: "update", resourceType: "ticket", resourceIds: "/id" },
 *   },
 * });
 * const mediated = mediate(contracts, { vocabulary: { intentClasses: ["update"] }, resolveFacts: () => ({}) });
 * const options = mediatedTool(mediated, "close_ticket", async ({ id }) => `closed ${id}`);
 * // tool(options)
 * ```
 */
export function mediatedTool<Registry extends ContractRegistry, Name extends keyof Registry & string, Result>(
  mediated: MediatedTools<Registry>,
  name: Name,
  execute: Execute<Registry[Name], Result>,
  options?: Options<Registry[Name], NoInfer<Result>> & Strict,
): AgentsMediatedTool<true>;
export function mediatedTool<Registry extends ContractRegistry, Name extends keyof Registry & string, Result>(
  mediated: MediatedTools<Registry>,
  name: Name,
  execute: Execute<Registry[Name], Result>,
  options: Options<Registry[Name], NoInfer<Result>> & NotStrict,
): AgentsMediatedTool<false>;
export function mediatedTool<Registry extends ContractRegistry, Name extends keyof Registry & string, Result>(
  mediated: MediatedTools<Registry>,
  name: Name,
  execute: Execute<Registry[Name], Result>,
  options: Options<Registry[Name], NoInfer<Result>> & (Strict | NotStrict) = {},
): AgentsMediatedTool<boolean> {
  const { strict = true, onRefusal = tellModel, ...others } = options;
  const run = mediated.tool(name, execute, {
    ...others,
    onRefusal: (error) => {
      if (error.code === "review_required") reportReview(name);
      return onRefusal(error);
    },
  });
  return {
    ...functionTool(mediated.shown[name], strict, run),
    needsApproval: async (_context, input, callId) => {
      const { outcome } = await mediated.step.consider({ tool: name, callId, arguments: input });
      // A denial is the tool's to tell, with the label that belongs to it.
      return outcome === "review";
    },
  };
}

function reportReview(name: string): void {
  report(
    "approval",
    name,
    () =>
      `a call of the tool "${name}" needs a review and has none: approve interruptions with approveCall()`,
  );
}
