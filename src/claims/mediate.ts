/**
 * A registry of contracts behind the mediation step: what the model is shown, and the functions that enforce.
 *
 * @module
 */
import type { Contract, ContractRegistry } from "../contracts/contract.ts";
import type { CallLayer } from "../contracts/tool/call-layer.ts";
import { type AnyToolOptions, guardedTool } from "../contracts/tool/guarded-tool.ts";
import type { ContractToolOptions } from "../contracts/tool/options.ts";
import type { GuardedResult } from "../contracts/tool/tool.ts";
import type { ToolFunction } from "../tool/tool-definition.ts";
import type { ClaimVocabulary } from "./claim.ts";
import { Mediation, type MediationOptions } from "./mediation.ts";
import { MediationError } from "./mediation-error.ts";
import { splitClaim } from "./split-claim.ts";
import { type ShownTool, type WithClaim, withClaim } from "./with-claim.ts";

type ArgumentsIn<Entry> = Entry extends Contract<infer Arguments> ? Arguments : never;

/** A registry behind the mediation step. */
export interface MediatedTools<Registry extends ContractRegistry> {
  /** What the model is shown of each tool, the claim included. */
  readonly shown: { readonly [Name in keyof Registry]: ShownTool<WithClaim<ArgumentsIn<Registry[Name]>>> };
  /** The step itself, for hooks that come before the tool: approvals, and better denials. */
  readonly step: Mediation;
  /**
   * Joins a contract and the function that does the work, behind the step: mediate, validate, label, execute. A call that may
   * not run ends with a {@link MediationError}, whose message is for the model, and is labelled `auth` on the framework's
   * tool span, or `schema` when its claim was missing or malformed. The function never sees the claim.
   *
   * @throws TypeError or RangeError on a name that is not in the registry, or wrong options
   */
  tool<Name extends keyof Registry & string, Rest extends unknown[], Result>(
    name: Name,
    execute: (args: ArgumentsIn<Registry[Name]>, ...rest: Rest) => Result,
    options?: ContractToolOptions<ArgumentsIn<Registry[Name]>, Rest, Result>,
  ): (args: WithClaim<ArgumentsIn<Registry[Name]>>, ...rest: Rest) => GuardedResult<Result>;
}

/**
 * Puts the mediation step before every tool of a registry.
 *
 * @throws TypeError on a wrong vocabulary, a resolver that is no function, or a contract with an argument `claim`
 * @example
 * ```ts
 * import { digestOf, mediate } from "agent-reliability-otel-labels/claims";
 * import { defineTools } from "agent-reliability-otel-labels/contracts";
 *
 * const tools = defineTools({
 *   send_mail: {
 *     description: "Send one mail.",
 *     input: {
 *       type: "object",
 *       additionalProperties: false,
 *       required: ["to", "text"],
 *       properties: { to: { type: "string", maxLength: 100 }, text: { type: "string", maxLength: 2_000 } },
 *     },
 *     sideEffect: "irreversible",
 *     risk: "medium",
 *     effect: { operation: "send", resourceType: "mail", maxItems: 1, destination: "/to" },
 *   },
 * });
 * declare function intentOf(session: string | undefined): Promise<{ recipients: string[] }>;
 *
 * const mediated = mediate(tools, {
 *   vocabulary: { intentClasses: ["read", "send"] },
 *   resolveFacts: async ({ session }) => {
 *     const intent = await intentOf(session);
 *     return {
 *       intent: {
 *         digest: digestOf(intent),
 *         classes: ["send"],
 *         operations: ["send"],
 *         resourceTypes: ["mail"],
 *         resourceIds: "any",
 *         maxItems: 1,
 *         destinations: intent.recipients,
 *       },
 *       route: { tools: ["send_mail"] },
 *     };
 *   },
 * });
 * export const sendMail = mediated.tool("send_mail", async ({ to }) => `sent to ${to}`);
 * ```
 */
export function mediate<const Registry extends ContractRegistry>(
  tools: Registry,
  options: MediationOptions,
): MediatedTools<Registry> {
  const step = new Mediation(tools, options);
  const layer: CallLayer = {
    argumentsOf: (args) => splitClaim(args).arguments,
    admit: async ({ name, callId, parameters }) => {
      const { outcome, reason = "denied" } = await step.enforce({
        tool: name,
        callId,
        arguments: parameters[0],
      });
      if (outcome !== "allow") throw new MediationError(reason);
    },
    errorClass: (error) =>
      error instanceof MediationError ? (error.reason === "claim" ? "schema" : "auth") : undefined,
  };
  return Object.freeze({
    shown: shownOf(tools, options.vocabulary),
    step,
    tool: (name: string, execute: ToolFunction, more: AnyToolOptions = {}) => {
      const contract = Object.hasOwn(tools, name) ? tools[name] : undefined;
      if (contract === undefined) throw new RangeError(`the registry has no contract "${name}"`);
      if (typeof execute !== "function")
        throw new TypeError("a mediated tool expected the tool function as its second parameter");
      return guardedTool(contract, execute, more, layer);
    },
  }) as unknown as MediatedTools<Registry>;
}

function shownOf(tools: ContractRegistry, vocabulary: ClaimVocabulary): Record<string, ShownTool> {
  return Object.fromEntries(
    Object.entries(tools).map(([name, contract]) => [name, withClaim(contract, vocabulary)]),
  );
}
