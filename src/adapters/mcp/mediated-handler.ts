/**
 * The handler of an MCP tool whose calls carry a claim.
 *
 * @module
 */
import { randomId } from "../../attributes/hex.ts";
import type { MediatedTools } from "../../claims/index.ts";
import { REASONS } from "../../claims/reasons.ts";
import type { Contract, ContractRegistry, ContractToolOptions } from "../../contracts/index.ts";
import { report } from "../../labels/diagnostics.ts";
import { isSensitive, SENSITIVE } from "../../tool/sensitive.ts";
import type { McpToolResult } from "./definition.ts";
import { answerIn, ask, formOf, type McpReview, type McpReviewOptions } from "./review.ts";

type ArgumentsIn<Entry> = Entry extends Contract<infer Arguments> ? Arguments : never;

/** How a mediated handler asks, and what a contract's tool may be told besides. */
export type McpMediatedOptions<Arguments, Extra, Result> = McpReviewOptions<Extra> &
  Omit<ContractToolOptions<Arguments, [Extra], Result>, "callId">;

/**
 * The handler for `registerTool` of the SDKs 1 and 2, behind the mediation step. Show clients `mediated.shown[name]`: as
 * `inputSchema` it is taken by SDK 2 as it is, and by SDK 1 as `z.looseObject({}).meta(shown.jsonSchema("mcp"))`.
 *
 * A call that needs a review asks the client: with `elicit` (SDK 1) or `inputRequired` (SDK 2). When the answer is there,
 * everything is decided again. **The client's answer is no proof of a person**: a client can answer by itself, so this is a
 * control only with clients that are yours. For others leave both out, and every review refuses.
 *
 * Each call gets an id of the server's making; the protocol's ids are the client's.
 *
 * @throws RangeError on a name that is not in the registry
 * @example
 * ```ts
 * import type { MediatedTools } from "agent-reliability-otel-labels/claims";
 * import { defineTools } from "agent-reliability-otel-labels/contracts";
 * import { mediatedHandler } from "agent-reliability-otel-labels/mcp";
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
 * declare const mediated: MediatedTools<typeof contracts>;
 * declare const server: { registerTool(name: string, config: object, handler: unknown): object };
 *
 * const handler = mediatedHandler(mediated, "close_ticket", async ({ id }) => ({
 *   content: [{ type: "text" as const, text: `closed ${id}` }],
 * }));
 * server.registerTool("close_ticket", { inputSchema: mediated.shown.close_ticket }, handler);
 * ```
 */
export function mediatedHandler<
  Registry extends ContractRegistry,
  Name extends keyof Registry & string,
  Result extends McpToolResult | Promise<McpToolResult>,
  Extra = unknown,
>(
  mediated: MediatedTools<Registry>,
  name: Name,
  execute: (args: ArgumentsIn<Registry[Name]>, extra: Extra) => Result,
  options: McpMediatedOptions<ArgumentsIn<Registry[Name]>, Extra, Result> = {},
): (args: unknown, extra: Extra) => Promise<Awaited<Result>> {
  const { step } = mediated;
  const ids = new WeakMap<object, string>();
  const { elicit, inputRequired, sealState, ...rest } = options;
  const run = mediated.tool(name, (args, extra: Extra, _call: object) => execute(args, extra), {
    ...(rest as object),
    callId: (_args, _extra, call) => ids.get(call),
  }) as unknown as (args: unknown, extra: Extra, call: object) => Promise<unknown>;
  const { description } = mediated.shown[name];

  /** The message of a refusal, or what goes to the client first, or nothing: the tool decides. */
  const review = async (
    args: unknown,
    extra: Extra,
    call: object,
  ): Promise<string | McpToolResult | undefined> => {
    const answer = await answerIn(step, { tool: name, arguments: args }, extra);
    const callId = answer?.callId ?? randomId(16);
    ids.set(call, callId);
    const asked = { tool: name, callId, arguments: args };
    const verdict = await step.consider(asked);
    if (verdict.outcome !== "review" && answer === undefined) return undefined;
    const form = () => formOf(name, description, verdict.arguments);
    const found: McpReview =
      answer === undefined
        ? await ask(step, asked, form(), { elicit, inputRequired, sealState }, extra)
        : { kind: "answered", approved: answer.approved };
    if (found.kind === "nobody") return undefined;
    if (found.kind === "pending") return found.result as McpToolResult;
    if (!found.approved) return "Not run: the call was refused.";
    if (verdict.outcome === "review") await step.approve(asked);
    return undefined;
  };

  const handler = async (args: unknown, extra: Extra): Promise<unknown> => {
    const call = {};
    let stopped: string | McpToolResult | undefined;
    try {
      stopped = await review(args, extra, call);
    } catch {
      report(
        "mcp review",
        name,
        () => `a call of the tool "${name}" was refused, because asking its client for a review failed`,
      );
      stopped = `Not run: ${REASONS.review}.`;
    }
    if (stopped === undefined) return run(args, extra, call);
    return typeof stopped === "string" ? refusal(stopped) : stopped;
  };
  Object.defineProperty(handler, SENSITIVE, { value: isSensitive(run) });
  return handler as (args: unknown, extra: Extra) => Promise<Awaited<Result>>;
}

const refusal = (text: string): McpToolResult => ({ content: [{ type: "text", text }], isError: true });
