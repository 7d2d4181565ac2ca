/** A model that says what the test wrote down: no network. */
import type { ModelRequest, ModelResponse, StreamEvent } from "@openai/agents";
import type { Agents } from "./traced.ts";

type OutputItem = ModelResponse["output"][number];

export const says = (text: string): OutputItem => ({
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text }],
});

export const calls = (name: string, args: object | string, callId: string): OutputItem => ({
  type: "function_call",
  callId,
  name,
  status: "completed",
  arguments: typeof args === "string" ? args : JSON.stringify(args),
});

/** Answers with one list of items after the other. */
export function scriptedModel(agents: Agents, ...steps: OutputItem[][]) {
  const respond = (): ModelResponse => {
    const output = steps.shift();
    if (output === undefined) throw new Error("the script has no step left");
    return { usage: new agents.Usage(), output };
  };
  return {
    async getResponse(_request: ModelRequest): Promise<ModelResponse> {
      return respond();
    },
    async *getStreamedResponse(_request: ModelRequest): AsyncIterable<StreamEvent> {
      yield { type: "response_started" };
      const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
      yield { type: "response_done", response: { id: "response", usage, output: respond().output as never } };
    },
  };
}
