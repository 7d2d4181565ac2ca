/** A model that plays a script, so that the example needs no network. */

/** A tool call: the tool and its arguments. */
export type Call = readonly [tool: string, args: object];

/** Asks for these calls, one list after the other, and then answers. */
export function scriptedModel(answer: string, ...turns: readonly Call[][]): never {
  let turn = 0;
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  return {
    specificationVersion: "v2",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: async () => {
      const calls = turns[turn++];
      const content = calls?.map(([toolName, args], index) => ({
        type: "tool-call",
        toolCallId: `call_${turn}_${index}`,
        toolName,
        input: JSON.stringify(args),
      })) ?? [{ type: "text", text: answer }];
      return { content, finishReason: calls === undefined ? "stop" : "tool-calls", usage, warnings: [] };
    },
  } as never;
}
