/** A model that plays a script: no network, the same answers every time. */

/** A call: its id, the tool and the arguments. */
export type Call = readonly [id: string, tool: string, input: object];

/** What the model answers in one step: tool calls, or the final text. */
export type Answer = readonly Call[] | string;

export const call = (id: string, tool: string, input: object = { q: "same" }): Call => [id, tool, input];

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const finishReason = (answer: Answer) => (typeof answer === "string" ? "stop" : "tool-calls");
const toolCall = ([toolCallId, toolName, input]: Call) => ({
  type: "tool-call" as const,
  toolCallId,
  toolName,
  input: JSON.stringify(input),
});

/** A model of the AI SDK's provider interface, as Mastra takes it. */
export function scriptedModel(script: readonly Answer[]): never {
  let step = 0;
  const next = () => script[step++] ?? "done";
  return {
    specificationVersion: "v2",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: async () => {
      const answer = next();
      const content = typeof answer === "string" ? [{ type: "text", text: answer }] : answer.map(toolCall);
      return { content, finishReason: finishReason(answer), usage, warnings: [] };
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
        { type: "finish", finishReason: finishReason(answer), usage },
      ];
      return { stream: ReadableStream.from(chunks) };
    },
  } as never;
}
