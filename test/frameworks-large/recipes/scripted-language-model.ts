/** A model for VoltAgent that asks for the calls that it is given, one list after the other, and then answers. */
import { simulateReadableStream } from "ai";
import { MockLanguageModelV3 } from "ai/test";

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly input: Record<string, unknown>;
}

type Part = Awaited<ReturnType<MockLanguageModelV3["doGenerate"]>>["content"][number];

export function scripted(...turns: readonly (readonly ScriptedCall[])[]): MockLanguageModelV3 {
  const script = [...turns];
  const next = () => {
    const calls = script.shift();
    const content: Part[] = calls?.map(({ id, name, input }) => ({
      type: "tool-call",
      toolCallId: id,
      toolName: name,
      input: JSON.stringify(input),
    })) ?? [{ type: "text", text: "done" }];
    const finishReason = { unified: calls === undefined ? "stop" : "tool-calls", raw: undefined } as const;
    return { content, finishReason, usage };
  };
  return new MockLanguageModelV3({
    doGenerate: async () => ({ ...next(), warnings: [] }),
    doStream: async () => {
      const { content, finishReason, usage } = next();
      const parts = content.flatMap((part): object[] =>
        part.type !== "text"
          ? [part]
          : [
              { type: "text-start", id: "1" },
              { type: "text-delta", id: "1", delta: part.text },
              { type: "text-end", id: "1" },
            ],
      );
      const chunks = [
        { type: "stream-start", warnings: [] },
        ...parts,
        { type: "finish", finishReason, usage },
      ];
      return { stream: simulateReadableStream({ chunks: chunks as never[] }) };
    },
  });
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
