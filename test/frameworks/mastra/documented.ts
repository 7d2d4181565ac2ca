import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { Observability } from "@mastra/observability";
import { OtelBridge } from "@mastra/otel-bridge";
import { trace } from "@opentelemetry/api";
import { withRun } from "agent-reliability-otel-labels";
import { exitReasonOf, labelTools } from "agent-reliability-otel-labels/mastra";
import { z } from "zod";
import { model } from "./documented-model.ts";

const searchFlights = createTool({
  id: "search_flights",
  description: "Searches flights.",
  inputSchema: z.object({ to: z.string() }),
  outputSchema: z.array(z.string()),
  execute: async ({ to }) => [`LHR-${to}`],
});
const bookFlight = createTool({
  id: "book_flight",
  description: "Books a flight.",
  inputSchema: z.object({ flight: z.string() }),
  execute: async ({ flight }) => `booked ${flight}`,
});

const travel = new Agent({
  id: "travel",
  name: "Travel",
  instructions: "You book flights.",
  model,
  tools: labelTools(
    { search_flights: searchFlights, book_flight: bookFlight },
    {
      search_flights: { sideEffect: "read", isEmpty: (flights) => flights.length === 0 },
      book_flight: { sideEffect: "irreversible" },
    },
  ),
});

const mastra = new Mastra({
  agents: { travel },
  observability: new Observability({
    configs: { default: { serviceName: "travel", bridge: new OtelBridge() } },
  }),
});

export const answer = (prompt: string) =>
  trace.getTracer("app").startActiveSpan("invoke_agent travel", async (root) => {
    root.setAttribute("gen_ai.operation.name", "invoke_agent");
    try {
      return await withRun(root, () => mastra.getAgent("travel").generate(prompt, { maxSteps: 8 }), {
        exitReason: (result) => exitReasonOf(result),
      });
    } finally {
      root.end();
    }
  });
