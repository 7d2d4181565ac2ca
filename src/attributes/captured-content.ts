/**
 * Where each instrumentation puts what it captured of a tool call's arguments and result, when capturing is on. Apart from
 * `conventions.ts`, so that programs which only write labels do not carry it.
 *
 * @module
 */
import type { ConventionId } from "./conventions.ts";

/** Attributes that hold captured content, as JSON text or as a value; best first. */
export interface CapturedContentNames {
  readonly arguments: readonly string[];
  readonly result: readonly string[];
}

const GEN_AI: CapturedContentNames = {
  arguments: ["gen_ai.tool.call.arguments"],
  result: ["gen_ai.tool.call.result"],
};
const TRACELOOP: CapturedContentNames = {
  arguments: ["traceloop.entity.input"],
  result: ["traceloop.entity.output"],
};

/** For each convention the names of its captured content. */
export const CAPTURED_CONTENT: Readonly<Record<ConventionId, CapturedContentNames>> = {
  "ai-sdk": { arguments: ["ai.toolCall.args"], result: ["ai.toolCall.result"] },
  openinference: { arguments: ["input.value"], result: ["output.value"] },
  "traceloop-langchain": TRACELOOP,
  traceloop: TRACELOOP,
  langfuse: { arguments: ["langfuse.observation.input"], result: ["langfuse.observation.output"] },
  laminar: { arguments: ["lmnr.span.input"], result: ["lmnr.span.output"] },
  mastra: GEN_AI,
  voltagent: { arguments: ["input"], result: ["output"] },
  "claude-code": GEN_AI,
  genkit: { arguments: ["genkit:input"], result: ["genkit:output"] },
  mcp: GEN_AI,
  gen_ai: {
    // ADK has names of its own.
    arguments: [...GEN_AI.arguments, "gcp.vertex.agent.tool_call_args"],
    result: [...GEN_AI.result, "gcp.vertex.agent.tool_response"],
  },
};
