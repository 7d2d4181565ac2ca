/**
 * A Mastra agent with labels on its tool spans, and on those of the agent that it delegates to. No network: the models are
 * scripts. Run it with `npm start`.
 */
import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { Observability } from "@mastra/observability";
import { OtelBridge } from "@mastra/otel-bridge";
import { trace } from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { withRun } from "agent-reliability-otel-labels";
import { exitReasonOf, labelDelegation, labelTools } from "agent-reliability-otel-labels/mastra";
import { ToolSpanTracker } from "agent-reliability-otel-labels/tracker";
import { readOtlp, verify } from "agent-reliability-otel-labels/verify";
import { z } from "zod";
import { scriptedModel } from "./scripted-model.ts";

const exporter = new InMemorySpanExporter();
// The tracker marks the delegated agent's span.
const provider = new NodeTracerProvider({
  spanProcessors: [new ToolSpanTracker(), new SimpleSpanProcessor(exporter)],
});
provider.register();

// #region labels
const tools = labelTools(
  {
    search_flights: createTool({
      id: "search_flights",
      description: "Searches flights.",
      inputSchema: z.object({ to: z.string() }),
      outputSchema: z.array(z.string()),
      execute: async ({ to }) => (to === "JFK" ? ["BA117"] : []),
    }),
    book_flight: createTool({
      id: "book_flight",
      description: "Books a flight.",
      inputSchema: z.object({ flight: z.string() }),
      outputSchema: z.string(),
      execute: async ({ flight }) => `${flight} is booked`,
    }),
  },
  {
    search_flights: { sideEffect: "read", isEmpty: (flights) => flights.length === 0 },
    book_flight: { sideEffect: "irreversible" },
  },
);
const delegation = labelDelegation({ "agent-researcher": { sideEffect: "read" } });
// #endregion

const researcher = new Agent({
  id: "researcher",
  name: "researcher",
  description: "Finds flights.",
  instructions: "You find flights.",
  model: scriptedModel("BA117", [["search_flights", { to: "LGA" }]], [["search_flights", { to: "JFK" }]]),
  tools: { search_flights: tools.search_flights },
});
const travel = new Agent({
  id: "travel",
  name: "travel",
  instructions: "You book flights.",
  model: scriptedModel(
    "You fly with BA117.",
    [["agent-researcher", { prompt: "Which flight goes to New York?" }]],
    [["book_flight", { flight: "BA117" }]],
  ),
  tools: { book_flight: tools.book_flight },
  agents: { researcher },
});
const mastra = new Mastra({
  logger: false,
  storage: new InMemoryStore(),
  agents: { travel },
  // The bridge makes the spans live ones. An exporter instead would make them when all is over.
  observability: new Observability({
    configs: { default: { serviceName: "travel", bridge: new OtelBridge() } },
  }),
});

const { text } = await trace.getTracer("app").startActiveSpan("invoke_agent travel desk", async (root) => {
  root.setAttributes({ "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "travel desk" });
  try {
    const prompt = "Book me a flight to New York";
    return await withRun(
      root,
      () => mastra.getAgent("travel").generate(prompt, { delegation, maxSteps: 8 }),
      {
        exitReason: (result) => exitReasonOf(result),
      },
    );
  } finally {
    root.end();
  }
});
console.log(`${text}\n`);

await mastra.observability.shutdown();
const { spans } = readOtlp(JsonTraceSerializer.serializeRequest(exporter.getFinishedSpans()) as Uint8Array);
const report = verify(spans);
for (const span of spans) {
  const labels = Object.entries(span.attributes).filter(([name]) => name.startsWith("trustabl."));
  if (labels.length > 0) console.log(span.name);
  for (const [name, value] of labels) console.log(`  ${name.padEnd(26)} ${value}`);
}
console.log(`\n${report.verdict}: ${report.examined.toolSpans} tool calls`);

const isLabelled = spans
  .filter(({ name }) => name.startsWith("execute_tool "))
  .every(({ attributes }) => attributes["trustabl.tool.attempt"] === 1);
const isMarked = spans.some(
  ({ name, attributes }) => name === "invoke_agent researcher" && "trustabl.handoff_id" in attributes,
);
process.exit(report.verdict === "pass" && report.examined.toolSpans === 4 && isLabelled && isMarked ? 0 : 1);
