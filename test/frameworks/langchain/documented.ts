import { trace } from "@opentelemetry/api";
import { withRun } from "agent-reliability-otel-labels";
import { labelTools } from "agent-reliability-otel-labels/langchain";
import { createAgent, tool } from "langchain";
import { z } from "zod";
import { model } from "./documented-model.ts";

const searchFlights = tool(async ({ to }) => `flights to ${to}`, {
  name: "search_flights",
  description: "Searches flights.",
  schema: z.object({ to: z.string() }),
});
const bookFlight = tool(async ({ flight }) => `booked ${flight}`, {
  name: "book_flight",
  description: "Books a flight.",
  schema: z.object({ flight: z.string() }),
});

const agent = createAgent({
  model,
  tools: labelTools([searchFlights, bookFlight], {
    search_flights: { sideEffect: "read", isEmpty: (flights) => flights === "" },
    book_flight: { sideEffect: "irreversible" },
  }),
  name: "travel",
});

export const answer = (content: string) =>
  trace.getTracer("app").startActiveSpan("invoke_agent travel", async (root) => {
    root.setAttribute("gen_ai.operation.name", "invoke_agent");
    try {
      return await withRun(root, () => agent.invoke({ messages: [{ role: "user", content }] }));
    } finally {
      root.end();
    }
  });
