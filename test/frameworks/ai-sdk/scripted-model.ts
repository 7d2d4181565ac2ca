/** A model that plays a script: no network, the same answers every time. */
import type { SdkVersion } from "./sdk-versions.ts";

export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly input: object;
}

/** What the model answers in one step: tool calls, or the final text. */
export type Answer = readonly Call[] | string;

export const call = (id: string, tool: string, input: object = { q: "same" }): Call => ({ id, tool, input });

export function scriptedModel({ major, Model, sdk }: SdkVersion, script: readonly Answer[]): unknown {
  let step = 0;
  const next = () => script[step++] ?? "done";
  const finish = (answer: Answer) => {
    const reason = typeof answer === "string" ? "stop" : "tool-calls";
    return major === 5 ? reason : { unified: reason, raw: undefined };
  };
  const usage =
    major === 5
      ? { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
      : { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const toolCall = ({ id, tool, input }: Call) => ({
    type: "tool-call",
    toolCallId: id,
    toolName: tool,
    input: JSON.stringify(input),
  });
  return new Model({
    modelId: "scripted",
    doGenerate: async () => {
      const answer = next();
      const content = typeof answer === "string" ? [{ type: "text", text: answer }] : answer.map(toolCall);
      return { content, finishReason: finish(answer), usage, warnings: [] };
    },
    doStream: async () => {
      const answer = next();
      const parts =
        typeof answer === "string"
          ? [
              { type: "text-start", id: "t" },
              { type: "text-delta", id: "t", delta: answer },
              { type: "text-end", id: "t" },
            ]
          : answer.map(toolCall);
      const chunks = [
        { type: "stream-start", warnings: [] },
        ...parts,
        { type: "finish", finishReason: finish(answer), usage },
      ];
      const { simulateReadableStream } = sdk;
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: 0, chunkDelayInMs: 0 }) };
    },
  });
}
