/**
 * A Strands agent with labels on its tool spans, and on those of the agent that it delegates to. No network: the models are
 * scripts. Run it with `npm start`.
 */
import { trace } from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { Agent, tool } from "@strands-agents/sdk";
import { withRun } from "agent-reliability-otel-labels";
import { exitReasonOf, labelTools } from "agent-reliability-otel-labels/strands";
import { ToolSpanTracker } from "agent-reliability-otel-labels/tracker";
import { readOtlp, verify } from "agent-reliability-otel-labels/verify";
import { z } from "zod";
import { ScriptedModel } from "./scripted-model.ts";

// Arguments and results as attributes, so that the verifier has something to compare the fingerprints with.
process.env.OTEL_SEMCONV_STABILITY_OPT_IN = "gen_ai_latest_experimental";
const exporter = new InMemorySpanExporter();
// The tracker marks the delegated agent's span.
const provider = new NodeTracerProvider({
  spanProcessors: [new ToolSpanTracker(), new SimpleSpanProcessor(exporter)],
});
provider.register();

const searchFlights = tool({
  name: "search_flights",
  description: "Searches flights.",
  inputSchema: z.object({ to: z.string() }),
  callback: async ({ to }) => (to === "JFK" ? ["BA117"] : []),
});
const bookFlight = tool({
  name: "book_flight",
  description: "Books a flight.",
  inputSchema: z.object({ flight: z.string() }),
  callback: async ({ flight }) => `${flight} is booked`,
});

// #region labels
const researcher = new Agent({
  name: "researcher",
  description: "Finds flights.",
  model: new ScriptedModel("BA117", [["search_flights", { to: "LGA" }]], [["search_flights", { to: "JFK" }]]),
  tools: labelTools([searchFlights], {
    search_flights: { sideEffect: "read", isEmpty: (flights) => (flights as string[]).length === 0 },
  }),
  printer: false,
});
const travel = new Agent({
  name: "travel",
  model: new ScriptedModel(
    "You fly with BA117.",
    [["researcher", { input: "Which flight goes to New York?" }]],
    [["book_flight", { flight: "BA117" }]],
  ),
  tools: labelTools([bookFlight, researcher], {
    book_flight: { sideEffect: "irreversible" },
    researcher: { sideEffect: "read" },
  }),
  printer: false,
});
// #endregion

const answer = await trace.getTracer("app").startActiveSpan("invoke_agent travel desk", async (root) => {
  root.setAttributes({ "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "travel desk" });
  try {
    const prompt = "Book me a flight to New York";
    return await withRun(root, () => travel.invoke(prompt, { limits: { turns: 8 } }), {
      exitReason: (result) => exitReasonOf(result),
    });
  } finally {
    root.end();
  }
});
console.log(`${answer}\n`);

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
process.exitCode =
  report.verdict === "pass" && report.examined.toolSpans === 4 && isLabelled && isMarked ? 0 : 1;
