/**
 * A tool of the AI SDK whose calls carry a claim: what the model is shown, when a person is asked, and what runs.
 *
 * @module
 */
import type { MediatedTools, ShownTool } from "../../claims/index.ts";
import type { Contract, ContractRegistry, ContractToolOptions } from "../../contracts/index.ts";
import { type ApprovalMessage, needsApproval } from "./tool-approvals.ts";

/** What the AI SDK gives a tool besides its arguments, as far as it is used here. */
interface CallOptions {
  readonly toolCallId: string;
  readonly messages?: readonly ApprovalMessage[] | undefined;
}

/** The options of the AI SDK's `tool()`. */
export interface AiSdkMediatedTool<Result> {
  /** The contract's description, for the model. */
  readonly description: string;
  /** The contract's arguments and `claim`. Lets every call through to the tool, which has better words for a refusal. */
  readonly inputSchema: ShownTool;
  /** Asked by the SDK before the call, and again with the answer: `true` when a person has to agree, or has agreed. */
  readonly needsApproval: (input: unknown, options: CallOptions) => Promise<boolean>;
  /**
   * Decides, validates, labels and runs. A refused call rejects with a `MediationError` or a `ContractViolationError`, unless
   * `onRefusal` answers it.
   */
  readonly execute: (input: unknown, options: CallOptions) => Promise<Awaited<Result>>;
}

type ArgumentsIn<Entry> = Entry extends Contract<infer Arguments> ? Arguments : never;

/**
 * The options of `tool()` for a tool behind the mediation step, for AI SDK 6 and 7. A call that needs a review asks a person
 * through `needsApproval`; once approved it is decided on again, and denied when the facts have changed.
 *
 * Approvals come back with the messages, which a client may have written: set the SDK's `experimental_toolApprovalSecret`, so
 * that they are signed. Without it, an approval counts only for a call that a person has been asked about.
 *
 * @throws RangeError on a name that is not in the registry
 * @example
 * ```ts
 * import { mediatedTool } from "agent-reliability-otel-labels/ai-sdk";
 * import { mediate } from "agent-reliability-otel-labels/claims";
 * import { defineTools } from "agent-reliability-otel-labels/contracts";
 * import { tool } from "ai";
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
 * export const tools = {
 *   close_ticket: tool(mediatedTool(mediated, "close_ticket", async ({ id }) => `closed ${id}`)),
 * };
 * ```
 */
export function mediatedTool<Registry extends ContractRegistry, Name extends keyof Registry & string, Result>(
  mediated: MediatedTools<Registry>,
  name: Name,
  execute: (args: ArgumentsIn<Registry[Name]>, options: CallOptions) => Result,
  options: ContractToolOptions<ArgumentsIn<Registry[Name]>, [CallOptions], Result> = {},
): AiSdkMediatedTool<Result> {
  const run = mediated.tool(name, execute, options);
  const shown = mediated.shown[name];
  return {
    description: shown.description,
    inputSchema: shown as ShownTool,
    execute: run as unknown as AiSdkMediatedTool<Result>["execute"],
    needsApproval: (input, { toolCallId, messages }) =>
      needsApproval(mediated.step, { tool: name, callId: toolCallId, arguments: input }, messages),
  };
}
