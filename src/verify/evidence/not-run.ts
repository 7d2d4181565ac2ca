/**
 * Signs that a span shaped like a tool call ran no tool function: the call was refused before it. Nothing of the
 * application ran there, so nothing could label it.
 *
 * Read off real exports. Where a framework leaves no sign (a guardrail of OpenAI Agents that answers in the tool's
 * place looks like a success) none is invented.
 *
 * @module
 */
import type { Convention, ConventionId } from "../../attributes/conventions.ts";
import type { SpanView } from "../span-view.ts";

/** One such sign. */
interface NotRunSign {
  readonly convention: ConventionId;
  readonly shows: (view: SpanView, result: unknown) => boolean;
}

const SIGNS: readonly NotRunSign[] = [
  {
    // OpenAI Agents: the bridge records the arguments once the call is let through. Malformed arguments and
    // refused approvals have none.
    convention: "openinference",
    shows: (view) => view.status === "error" && view.attributes["input.value"] === undefined,
  },
  {
    // The same SDK with openlit, which writes empty arguments.
    convention: "gen_ai",
    shows: (view) =>
      view.scope === "@openlit/instrumentation-openai-agents" &&
      view.status === "error" &&
      view.attributes["gen_ai.tool.call.arguments"] === "",
  },
  {
    // The same SDK with the AWS distribution. Without captured content only the SDK's own wording tells.
    convention: "gen_ai",
    shows: (view, result) =>
      view.scope === "@aws/aws-distro-opentelemetry-instrumentation-openai-agents" &&
      view.status === "error" &&
      view.attributes["gen_ai.tool.call.arguments"] === undefined &&
      (result !== undefined || view.statusMessage === "Tool execution was not approved."),
  },
  {
    // Claude Agent SDK: a refused call's span stays open until the query ends.
    convention: "openinference",
    shows: (view) => view.status === "error" && view.statusMessage === "Abandoned",
  },
  {
    // LangGraph: the call waits for a person, and is made again when the answer is there.
    convention: "openinference",
    shows: (view) => view.status === "error" && (view.statusMessage?.includes("GraphInterrupt:") ?? false),
  },
  {
    // Mastra answers invalid arguments with a result, and status OK.
    convention: "mastra",
    shows: (view, result) =>
      view.status !== "error" && typeof result === "string" && /^\{"error":true\b/.test(result),
  },
  {
    // Strands: invalid arguments are an error without an exception; a tool that throws leaves one.
    convention: "gen_ai",
    shows: (view) =>
      view.scope === "strands-agents" &&
      view.status === "error" &&
      !view.events.some((event) => event.name === "exception"),
  },
  {
    // ADK answers for a tool that waits for its approval, or that was refused it; without captured content nothing tells.
    convention: "gen_ai",
    shows: (view, result) =>
      view.scope === "gcp.vertex.agent" &&
      typeof result === "string" &&
      /^\{"error":"This tool call (?:requires confirmation, please approve or reject|is rejected)\."\}$/.test(
        result,
      ),
  },
  {
    // Genkit: the tool asked a person, and is called again when the answer is there.
    convention: "genkit",
    shows: (view) => view.attributes["genkit:metadata:interrupt"] !== undefined,
  },
  {
    // MCP: -32602 is the protocol's "invalid params", and servers use it for unknown tools as well.
    convention: "traceloop",
    shows: (_view, result) => typeof result === "string" && result.includes("MCP error -32602"),
  },
  {
    convention: "mcp",
    shows: (view) => view.attributes["rpc.response.status_code"] === "-32602",
  },
];

/** True when the span shows that no tool function ran, or that it may well not have. */
export function showsNoRun(view: SpanView, convention: Convention, result: unknown): boolean {
  return SIGNS.some((sign) => sign.convention === convention.id && sign.shows(view, result));
}
