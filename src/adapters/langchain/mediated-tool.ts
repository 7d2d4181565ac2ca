/**
 * A LangChain tool whose calls carry a claim: what the model is shown, and what runs.
 *
 * @module
 */
import type { MediatedTools } from "../../claims/index.ts";
import type { Contract, ContractRegistry, ContractToolOptions } from "../../contracts/index.ts";
import { type CallConfig, type LangChainToolParameters, parametersOf } from "./tool-parameters.ts";

type ArgumentsIn<Entry> = Entry extends Contract<infer Arguments> ? Arguments : never;

/**
 * The parameters of LangChain's `tool()` for a tool behind the mediation step. The step stands in the function itself, so
 * it runs in every agent, graph and sub-agent that the tool is given to. Give the tool to {@link labelTools} to have its
 * calls labelled.
 *
 * A call that needs a review is refused, unless {@link reviewToolCalls} stands in the agent's middleware and a person has
 * approved it.
 *
 * @throws RangeError on a name that is not in the registry
 * @example
 * ```ts
 * import { mediate } from "agent-reliability-otel-labels/claims";
 * import { defineTools } from "agent-reliability-otel-labels/contracts";
 * import { mediatedTool } from "agent-reliability-otel-labels/langchain";
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
 * const closeTicket = mediatedTool(mediated, "close_ticket", async ({ id }) => `closed ${id}`);
 * // const tools = labelTools([tool(...closeTicket)]), with LangChain's `tool`
 * ```
 */
export function mediatedTool<
  Registry extends ContractRegistry,
  Name extends keyof Registry & string,
  Result,
  Config extends CallConfig = CallConfig,
>(
  mediated: MediatedTools<Registry>,
  name: Name,
  execute: (args: ArgumentsIn<Registry[Name]>, config: Config) => Result,
  options: ContractToolOptions<ArgumentsIn<Registry[Name]>, [Config], Result> = {},
): LangChainToolParameters<Name, Config, Result> {
  return parametersOf(name, mediated.shown[name], mediated.tool(name, execute, options));
}
