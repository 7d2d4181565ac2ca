import { trace } from "@opentelemetry/api";
import { withRun, wrapTool } from "agent-reliability-otel-labels";
import { type Genkit, z } from "genkit";

export function defineTravel(ai: Genkit, model: string) {
  const inputSchema = z.object({ to: z.string() });
  const searchFlights = ai.defineTool(
    { name: "search_flights", description: "Searches flights.", inputSchema },
    wrapTool(
      { name: "search_flights", sideEffect: "read" },
      async ({ to }: z.infer<typeof inputSchema>) => `LHR-${to}`,
    ),
  );
  return ai.defineFlow("travel", (prompt: string) =>
    // In a flow the active span is the flow's, which is the root.
    withRun(trace.getActiveSpan(), async () => {
      const { text } = await ai.generate({ model, prompt, tools: [searchFlights] });
      return text;
    }),
  );
}
