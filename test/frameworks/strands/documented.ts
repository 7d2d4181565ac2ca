import { trace } from "@opentelemetry/api";
import { Agent, tool } from "@strands-agents/sdk";
import { withRun } from "agent-reliability-otel-labels";
import { exitReasonOf, labelTools } from "agent-reliability-otel-labels/strands";
import { z } from "zod";
import { model } from "./documented-model.ts";

const searchFlights = tool({
  name: "search_flights",
  description: "Searches flights.",
  inputSchema: z.object({ to: z.string() }),
  callback: async ({ to }) => [`LHR-${to}`],
});
const bookFlight = tool({
  name: "book_flight",
  description: "Books a flight.",
  inputSchema: z.object({ flight: z.string() }),
  callback: async ({ flight }) => `booked ${flight}`,
});

const tools = labelTools([searchFlights, bookFlight], {
  search_flights: { sideEffect: "read", isEmpty: (flights) => (flights as string[]).length === 0 },
  book_flight: { sideEffect: "irreversible" },
});

export const answer = (prompt: string) =>
  trace.getTracer("app").startActiveSpan("invoke_agent travel", async (root) => {
    root.setAttribute("gen_ai.operation.name", "invoke_agent");
    try {
      const agent = new Agent({ name: "travel", model: model(), tools, printer: false });
      return await withRun(root, () => agent.invoke(prompt, { limits: { turns: 8 } }), {
        exitReason: (result) => exitReasonOf(result),
      });
    } finally {
      root.end();
    }
  });
