/** The agent under test: the Vercel AI SDK, two tools, and a model that plays a script. */
import { trace } from "@opentelemetry/api";
import { withRun, wrapTool } from "agent-reliability-otel-labels";
import { generateText, stepCountIs, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { z } from "zod";

const seats = async ({ flight }: { flight: string }) => ({ flight, seats: flight === "XY 12" ? 3 : 0 });

export const tools = {
  find_seats: tool({
    description: "Find free seats on a flight.",
    inputSchema: z.object({ flight: z.string() }),
    execute: wrapTool(
      { name: "find_seats", sideEffect: "read", isEmpty: (found) => found.seats === 0 },
      seats,
    ),
  }),
  book_seat: tool({
    description: "Book a seat.",
    inputSchema: z.object({ flight: z.string(), passenger: z.string() }),
    execute: wrapTool(
      { name: "book_seat", sideEffect: "write" },
      async ({ passenger }: { flight: string; passenger: string }) => {
        if (passenger === "") throw Object.assign(new Error("no passenger"), { status: 422 });
        return { booked: true, for: passenger };
      },
    ),
  }),
};

/** Books a seat for a passenger, on the second flight it tries. */
export function bookSeat(passenger: string): Promise<string> {
  const attributes = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "booker" };
  return trace.getTracer("booker").startActiveSpan("invoke_agent booker", { attributes }, async (root) => {
    try {
      const answer = await withRun(root, () =>
        generateText({
          model: scriptedModel([
            ["find_seats", { flight: "XY 7" }],
            ["find_seats", { flight: "XY 7" }],
            ["find_seats", { flight: "XY 12" }],
            ["book_seat", { flight: "XY 12", passenger }],
          ]),
          tools,
          prompt: "Book me a seat.",
          stopWhen: stepCountIs(10),
          experimental_telemetry: { isEnabled: true },
        }),
      );
      return answer.text;
    } finally {
      root.end();
    }
  });
}

function scriptedModel(script: readonly (readonly [toolName: string, args: object])[]): MockLanguageModelV3 {
  let turn = 0;
  return new MockLanguageModelV3({
    doGenerate: async () => {
      const call = script[turn++];
      return {
        content: call
          ? [
              {
                type: "tool-call",
                toolCallId: `call_${turn}`,
                toolName: call[0],
                input: JSON.stringify(call[1]),
              },
            ]
          : [{ type: "text", text: "Your seat is booked." }],
        finishReason: { unified: call ? "tool-calls" : "stop", raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
}
