/** A model that plays a script, so that the run needs no network and is the same each time. */
import { MockLanguageModelV3 } from "ai/test";

type Call = readonly [tool: string, args: Record<string, string>];

const soldOut: Call = ["search_flights", { from: "SFO", to: "JFK", date: "2026-10-01" }];
const script: readonly (readonly Call[])[] = [
  // Two calls at once, then the same search again and again although it finds nothing.
  [soldOut, ["search_hotels", { city: "New York" }]],
  [soldOut],
  [soldOut],
  [["search_flights", { from: "SFO", to: "JFK", date: "2026-10-02" }]],
  [["get_fare", { flight: "XY 12" }]],
  [["book_flight", { flight: "XY 12", passenger: "Ada" }]],
];

export function scriptedModel(): MockLanguageModelV3 {
  let turn = 0;
  let calls = 0;
  return new MockLanguageModelV3({
    modelId: "scripted",
    doGenerate: async () => {
      const toolCalls = script[turn++];
      return {
        content: toolCalls?.map(([toolName, args]) => ({
          type: "tool-call" as const,
          toolCallId: `call_${++calls}`,
          toolName,
          input: JSON.stringify(args),
        })) ?? [{ type: "text" as const, text: "I hold a seat on XY 12 for you." }],
        finishReason: { unified: toolCalls ? ("tool-calls" as const) : ("stop" as const), raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
}
