/** A model that asks for the same refund twice, so that there is something to see. */
import { MockLanguageModelV3 } from "ai/test";

export function scriptedModel(): MockLanguageModelV3 {
  let turn = 0;
  return new MockLanguageModelV3({
    doGenerate: async () => {
      turn += 1;
      const asks = turn <= 2;
      return {
        content: asks
          ? [{ type: "tool-call", toolCallId: `call_${turn}`, toolName: "refund", input: '{"order":"7"}' }]
          : [{ type: "text", text: "Done." }],
        finishReason: { unified: asks ? "tool-calls" : "stop", raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
}
