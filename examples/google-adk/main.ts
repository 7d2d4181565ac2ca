/**
 * A Google ADK agent with labels on its tool spans, and on those of the agent that it transfers to. No network: the models are
 * scripts. Run it with `npm start`.
 */
import { type Event, FunctionTool, InMemoryRunner, LlmAgent, LogLevel, setLogLevel } from "@google/adk";
import { trace } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { withRun } from "agent-reliability-otel-labels";
import { AdkAgentTracker, exitReasonOf, labelTools } from "agent-reliability-otel-labels/google-adk";
import { verify } from "agent-reliability-otel-labels/verify";
import { z } from "zod";
import { ScriptedModel } from "./scripted-model.ts";

setLogLevel(LogLevel.ERROR);
const memory = new InMemorySpanExporter();
// The tracker marks the span of the agent that is transferred to.
new NodeTracerProvider({
  spanProcessors: [new AdkAgentTracker(), new SimpleSpanProcessor(memory)],
}).register();

const searchFlights = new FunctionTool({
  name: "search_flights",
  description: "Searches flights.",
  parameters: z.object({ to: z.string() }),
  execute: async ({ to }) => ({ flights: to === "JFK" ? ["BA117"] : [] }),
});
const bookFlight = new FunctionTool({
  name: "book_flight",
  description: "Books a flight.",
  parameters: z.object({ flight: z.string() }),
  execute: async () => {
    throw Object.assign(new Error("The airline does not answer."), { status: 503 });
  },
});

// #region labels
const booking = new LlmAgent({
  name: "booking",
  description: "Books flights.",
  model: new ScriptedModel(
    "The airline does not answer.",
    ["book_flight", { flight: "BA117" }],
    ["book_flight", { flight: "BA117" }],
  ),
  tools: labelTools([bookFlight], { book_flight: { sideEffect: "irreversible" } }),
});
const travel = new LlmAgent({
  name: "travel",
  description: "Plans a journey.",
  model: new ScriptedModel(
    "",
    ["search_flights", { to: "LGA" }],
    ["search_flights", { to: "JFK" }],
    ["transfer_to_agent", { agentName: "booking" }],
  ),
  subAgents: [booking],
  tools: labelTools([searchFlights], {
    search_flights: {
      sideEffect: "read",
      isEmpty: (result) => (result as { flights: string[] }).flights.length === 0,
    },
  }),
});
// #endregion

const runner = new InMemoryRunner({ agent: travel, appName: "desk" });
const { id: sessionId } = await runner.sessionService.createSession({ appName: "desk", userId: "me" });
const newMessage = { role: "user", parts: [{ text: "Book me a flight to New York" }] };

await trace.getTracer("app").startActiveSpan("invoke_agent travel desk", async (root) => {
  root.setAttributes({ "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "travel desk" });
  const run = async () => {
    const events: Event[] = [];
    for await (const event of runner.runAsync({ userId: "me", sessionId, newMessage })) events.push(event);
    return events;
  };
  try {
    await withRun(root, run, { exitReason: exitReasonOf });
  } finally {
    root.end();
  }
});

const spans = memory.getFinishedSpans();
for (const { name, attributes } of spans) {
  const labels = Object.entries(attributes).filter(([label]) => label.startsWith("trustabl."));
  if (labels.length > 0) console.log(name);
  for (const [label, value] of labels) console.log(`  ${label.padEnd(28)} ${value}`);
}

const report = verify(spans);
console.log(`\n${report.verdict}: ${report.examined.toolSpans} tool calls`);
const seen = spans
  .filter(({ attributes }) => "trustabl.step_index" in attributes)
  .map(({ name, attributes: { "trustabl.tool.attempt": attempt, "trustabl.tool.error_class": error } }) => [
    name,
    attempt,
    error,
  ]);
const expected = [
  ["execute_tool search_flights", 1, "empty"],
  ["execute_tool search_flights", 1, undefined],
  ["execute_tool book_flight", 1, "5xx"],
  ["execute_tool book_flight", 2, "5xx"],
];
const right = JSON.stringify(seen) === JSON.stringify(expected);
process.exitCode = report.verdict === "pass" && right ? 0 : 1;
