/**
 * The in-process tools of one MCP server, behind their contracts and, where they carry claims, the mediation step.
 *
 * @module
 */
import type { ErrorClass } from "../../attributes/registry.ts";
import { MediationError } from "../../claims/index.ts";
import { splitClaim } from "../../claims/split-claim.ts";
import {
  type Contract,
  type ContractRegistry,
  type ContractToolOptions,
  ContractViolationError,
  tool as contractTool,
} from "../../contracts/index.ts";
import { callIdIn } from "../../contracts/tool/call-id.ts";
import { ClaimControl } from "./claim-control.ts";
import type {
  AgentToolResult,
  ArgumentsIn,
  GuardableOptions,
  GuardedAgentTool,
  ToolGuardOptions,
} from "./guarded-tool-types.ts";
import type { AgentTool } from "./query-labels.ts";
import { RecentCalls } from "./recent-calls.ts";

/**
 * Guards the in-process tools of one MCP server. A call that its contract or its claim refuses reaches no function, and the
 * model is told why. The labels are those of {@link QueryLabels}: give it {@link ToolGuard.labels}.
 *
 * @example
 * ```ts
 * import { ToolGuard } from "agent-reliability-otel-labels/claude-agent-sdk";
 * import { defineTools } from "agent-reliability-otel-labels/contracts";
 * import { z } from "zod";
 *
 * declare function createSdkMcpServer(server: { name: string; tools: object[] }): { type: "sdk"; name: string };
 * declare function query(parameters: { prompt: string; options: object }): AsyncIterable<object>;
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
 * const guard = new ToolGuard({ server: "desk", contracts, show: (schema) => z.looseObject({}).meta(schema) });
 * const closeTicket = guard.tool("close_ticket", async ({ id }) => ({
 *   content: [{ type: "text", text: `closed ${id}` }],
 * }));
 * const desk = createSdkMcpServer({ name: "desk", tools: [closeTicket] });
 * export const messages = query({
 *   prompt: "Close ticket 7",
 *   options: guard.options({ mcpServers: { desk } }),
 * });
 * ```
 */
export class ToolGuard<const Registry extends ContractRegistry> {
  readonly #options: ToolGuardOptions<Registry>;
  readonly #names: ReadonlyMap<unknown, string>;
  readonly #refused = new RecentCalls<ErrorClass>();
  readonly #control: ClaimControl | undefined;

  /** What to declare to {@link QueryLabels}, by the names that hooks know. */
  readonly labels: Readonly<Record<string, AgentTool>>;

  /** @throws TypeError on a missing server, contracts or `show` */
  constructor(options: ToolGuardOptions<Registry>) {
    const { server, contracts, mediated, show } = options;
    if (typeof server !== "string" || server === "")
      throw new TypeError('"server" of a ToolGuard expected the server\'s key in "mcpServers"');
    if (typeof contracts !== "object" || contracts === null)
      throw new TypeError('"contracts" of a ToolGuard expected a registry that defineTools() made');
    if (typeof show !== "function")
      throw new TypeError('"show" of a ToolGuard expected a function that makes a zod schema');
    this.#options = options;
    // As the command line spells them.
    const prefix = `mcp__${server.replaceAll(/[^a-zA-Z0-9_-]/g, "_")}__`;
    this.#names = new Map(Object.keys(contracts).map((name) => [`${prefix}${name}`, name]));
    this.labels = Object.fromEntries(
      Object.entries(contracts).map(([name, contract]) => [`${prefix}${name}`, this.#labelsOf(contract)]),
    );
    this.#control =
      mediated === undefined
        ? undefined
        : new ClaimControl({
            step: mediated.step,
            toolOf: (name) => this.#names.get(name),
            onDenied: (callId, { reason }) =>
              this.#refused.keep(callId, reason === "claim" ? "schema" : "auth"),
          });
  }

  #labelsOf({ sideEffect, sensitive }: Contract): AgentTool {
    return {
      sideEffect,
      sensitive,
      refusalClass: (callId) => this.#refused.take(callId),
      ...(this.#options.mediated === undefined
        ? {}
        : { args: (input: unknown) => splitClaim(input).arguments }),
    };
  }

  /**
   * A tool of the server: what the model is shown, and the function behind its contract.
   *
   * @throws RangeError on a name that is not in the registry
   */
  tool<Name extends keyof Registry & string, Result extends AgentToolResult>(
    name: Name,
    execute: (args: ArgumentsIn<Registry[Name]>, extra: unknown) => Result | Promise<Result>,
    options: Pick<
      ContractToolOptions<ArgumentsIn<Registry[Name]>, [unknown], Result>,
      "confirmed" | "applyDefaults" | "nullIsMissing"
    > = {},
  ): GuardedAgentTool<Result> {
    const { contracts, mediated, show } = this.#options;
    const contract: Contract | undefined = Object.hasOwn(contracts, name) ? contracts[name] : undefined;
    if (contract === undefined) throw new RangeError(`the registry has no contract "${name}"`);
    // Hooks tell of the call, and label it.
    const more = { ...options, labelled: false } as object;
    const run = (mediated === undefined
      ? contractTool(contract, execute as () => unknown, more)
      : mediated.tool(name, execute, more)) as unknown as (args: unknown, extra: unknown) => Promise<never>;
    const shown = mediated?.shown[name] ?? contract;
    return {
      name,
      description: shown.description,
      inputSchema: show(shown.jsonSchema("anthropic")),
      handler: async (args, extra) => {
        try {
          return await run(args, extra);
        } catch (error) {
          const errorClass = classOfRefusal(error);
          if (errorClass === undefined) throw error;
          this.#refused.keep(callIdIn([extra]), errorClass);
          return { isError: true, content: [{ type: "text", text: (error as Error).message }] };
        }
      },
    };
  }

  /**
   * The options of a query with the mediation step in its hooks and in its `canUseTool`. Without `canUseTool`, a call that needs
   * a review is denied. Without claims, they stay as they are.
   */
  options<Options extends object>(options: Options & GuardableOptions): Options {
    const control = this.#control;
    if (control === undefined) return options;
    const { hooks, canUseTool } = options;
    // Unless told to block, the SDK runs a tool whose hook has failed.
    const matcher = { hooks: [control.hook], onFailure: "block" };
    return {
      ...options,
      hooks: { ...hooks, PreToolUse: [matcher, ...(hooks?.PreToolUse ?? [])] },
      ...(typeof canUseTool === "function" ? { canUseTool: control.asking(canUseTool) } : {}),
    };
  }
}

function classOfRefusal(error: unknown): ErrorClass | undefined {
  if (error instanceof ContractViolationError) return "schema";
  if (error instanceof MediationError) return error.reason === "claim" ? "schema" : "auth";
  return undefined;
}
