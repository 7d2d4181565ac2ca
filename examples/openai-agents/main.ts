/**
 * An OpenAI agent that searches, and one that books, with labels on their tool spans. No network: the models are scripts.
 * Run it with `npm start`.
 */
import { OpenAIAgentsInstrumentation } from "@arizeai/openinference-instrumentation-openai-agents";
import * as agents from "@openai/agents";
import { trace } from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { withRun } from "agent-reliability-otel-labels";
import { AgentsSpanTracker, labelTools } from "agent-reliability-otel-labels/openai-agents";
import { readOtlp, verify } from "agent-reliability-otel-labels/verify";
import { z } from "zod";
import { scriptedModel } from "./scripted-model.ts";

// The tracker knows which span belongs to the call that runs: OpenInference never makes it the active one.
const exporter = new InMemorySpanExporter();
const tracerProvider = new NodeTracerProvider({
  spanProcessors: [new AgentsSpanTracker(), new SimpleSpanProcessor(exporter)],
});
tracerProvider.register();
new OpenAIAgentsInstrumentation({ tracerProvider }).manuallyInstrument(agents);

// #region labels
const [searchFlights, bookFlight] = labelTools(
  [
    agents.tool({
      name: "search_flights",
      description: "Searches flights.",
      parameters: z.object({ to: z.string() }),
      execute: async ({ to }) => (to === "JFK" ? ["BA117"] : []),
    }),
    agents.tool({
      name: "book_flight",
      description: "Books a flight.",
      parameters: z.object({ flight: z.string() }),
      execute: async ({ flight }) => `${flight} is booked`,
    }),
  ],
  {
    search_flights: { sideEffect: "read", isEmpty: (flights) => (flights as string[]).length === 0 },
    book_flight: { sideEffect: "irreversible" },
  },
);
// #endregion

const booking = new agents.Agent({
  name: "booking",
  instructions: "You book flights.",
  model: scriptedModel(["book_flight", { flight: "BA117" }], "You fly with BA117."),
  tools: [bookFlight],
});
const travel = new agents.Agent({
  name: "travel",
  instructions: "You find flights.",
  model: scriptedModel(
    ["search_flights", { to: "LGA" }],
    ["search_flights", { to: "LGA" }],
    ["search_flights", { to: "JFK" }],
    ["transfer_to_booking", {}],
  ),
  tools: [searchFlights],
  handoffs: [booking],
});

const { finalOutput } = await trace
  .getTracer("app")
  .startActiveSpan("invoke_agent travel desk", async (root) => {
    root.setAttributes({ "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "travel desk" });
    try {
      return await withRun(root, () => new agents.Runner().run(travel, "Book me a flight to New York"));
    } finally {
      root.end();
    }
  });
console.log(`${finalOutput}\n`);

await tracerProvider.forceFlush();
const { spans } = readOtlp(JsonTraceSerializer.serializeRequest(exporter.getFinishedSpans()) as Uint8Array);
const report = verify(spans);
for (const span of spans) {
  const labels = Object.entries(span.attributes).filter(([name]) => name.startsWith("trustabl."));
  if (labels.length > 0) console.log(span.name);
  for (const [name, value] of labels) console.log(`  ${name.padEnd(26)} ${value}`);
}
console.log(`\n${report.verdict}: ${report.examined.toolSpans} tool calls`);

const labels = (name: string, label: string) =>
  spans.filter((span) => span.name === name).map(({ attributes }) => attributes[`trustabl.${label}`]);
const isLabelled =
  labels("search_flights", "tool.attempt").join() === "1,2,1" &&
  labels("search_flights", "tool.error_class").join() === "empty,empty," &&
  labels("book_flight", "step_index").join() === "3" &&
  labels("booking", "handoff_id").every((id) => typeof id === "string");
process.exitCode = report.verdict === "pass" && report.examined.toolSpans === 4 && isLabelled ? 0 : 1;
