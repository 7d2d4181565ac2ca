import { AgentTool, type Event, FunctionTool, InMemoryRunner, LlmAgent } from "@google/adk";
import { trace } from "@opentelemetry/api";
import { withRun } from "agent-reliability-otel-labels";
import { exitReasonOf, labelTools } from "agent-reliability-otel-labels/google-adk";
import { z } from "zod";
import { model } from "./documented-model.ts";

const searchFlights = new FunctionTool({
  name: "search_flights",
  description: "Searches flights.",
  parameters: z.object({ to: z.string() }),
  execute: async ({ to }) => ({ flights: [`LHR-${to}`] }),
});
const bookFlight = new FunctionTool({
  name: "book_flight",
  description: "Books a flight.",
  parameters: z.object({ flight: z.string() }),
  execute: async ({ flight }) => ({ booked: flight }),
});
const visas = new AgentTool({ agent: new LlmAgent({ name: "visas", description: "Knows visas.", model }) });

const agent = new LlmAgent({
  name: "travel",
  description: "Books travel.",
  model,
  tools: labelTools([searchFlights, bookFlight, visas], {
    search_flights: { sideEffect: "read" },
    book_flight: { sideEffect: "irreversible" },
  }),
});
const runner = new InMemoryRunner({ agent, appName: "app" });

export const answer = (text: string) =>
  trace.getTracer("app").startActiveSpan("invoke_agent travel", async (root) => {
    root.setAttribute("gen_ai.operation.name", "invoke_agent");
    const run = async () => {
      const { id: sessionId } = await runner.sessionService.createSession({ appName: "app", userId: "u" });
      const newMessage = { role: "user", parts: [{ text }] };
      const events: Event[] = [];
      for await (const event of runner.runAsync({ userId: "u", sessionId, newMessage })) events.push(event);
      return events;
    };
    try {
      return await withRun(root, run, { exitReason: exitReasonOf });
    } finally {
      root.end();
    }
  });
