import { Agent, createTool } from "@voltagent/core";
import { markRunEnd, withRun, wrapTool } from "agent-reliability-otel-labels";
import type { LanguageModel } from "ai";
import { z } from "zod";

const searchFlights = createTool({
  name: "search_flights",
  description: "Searches flights.",
  parameters: z.object({ to: z.string() }),
  execute: wrapTool(
    {
      name: "search_flights",
      sideEffect: "read",
      callId: (_input, options) => options?.toolContext?.callId,
    },
    async ({ to }: { to: string }, _options?: { toolContext?: { callId?: string } }) => `LHR-${to}`,
  ),
});

export const answer = (model: LanguageModel, question: string) => {
  const agent = new Agent({ name: "travel", instructions: "Find flights.", model, tools: [searchFlights] });
  // VoltAgent's root span begins inside its call, in a trace of its own: the hooks are where it can be reached.
  return withRun(undefined, async (run) => {
    const { text } = await agent.generateText(question, {
      hooks: {
        onStart: ({ context }) => run.markStart(context.traceContext.getRootSpan()),
        onEnd: ({ context, error }) =>
          markRunEnd(
            context.traceContext.getRootSpan(),
            run.stopReason ?? (error ? "error" : "final_answer"),
          ),
      },
    });
    return text;
  });
};
