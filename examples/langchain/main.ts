/**
 * A LangChain agent whose tool calls are labelled on OpenInference's spans. No network: the model is a script. Run it with
 * `npm start`.
 */
import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import * as callbackManager from "@langchain/core/callbacks/manager";
import { awaitAllCallbacks } from "@langchain/core/callbacks/promises";
import { trace } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { withRun } from "agent-reliability-otel-labels";
import { labelTools } from "agent-reliability-otel-labels/langchain";
import { verify } from "agent-reliability-otel-labels/verify";
import { createAgent, tool } from "langchain";
import { z } from "zod";
import { type ScriptedCall, ScriptedModel } from "./scripted-model.ts";

// Spans of concurrent requests land in the wrong trace otherwise: see docs/adapters/langchain.md.
process.env.LANGCHAIN_CALLBACKS_BACKGROUND = "false";

const memory = new InMemorySpanExporter();
const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(memory)] });
tracerProvider.register();
new LangChainInstrumentation({ tracerProvider }).manuallyInstrument(callbackManager);

// The tools, as LangChain defines them. The first of October is sold out.
const searchFlights = tool(async ({ to, date }) => (date === "2026-10-01" ? [] : [`BA117 to ${to}`]), {
  name: "search_flights",
  description: "Searches flights.",
  schema: z.object({ to: z.string(), date: z.string() }),
});
const bookFlight = tool(
  async ({ flight }) => {
    if (flight !== "BA117") throw Object.assign(new Error("no such flight"), { status: 404 });
    return `${flight} is booked`;
  },
  { name: "book_flight", description: "Books a flight.", schema: z.object({ flight: z.string() }) },
);

// #region labels
const tools = labelTools([searchFlights, bookFlight], {
  search_flights: { sideEffect: "read", isEmpty: (flights) => (flights as unknown[]).length === 0 },
  book_flight: { sideEffect: "irreversible" },
});
// #endregion

const search = (date: string): ScriptedCall => ["search_flights", { to: "JFK", date }];
const model = new ScriptedModel(
  [search("2026-10-01")],
  [search("2026-10-01"), search("2026-10-02")],
  [["book_flight", { flight: "BA118" }]],
  [["book_flight", { flight: "BA117" }]],
);
const agent = createAgent({ model, tools, name: "travel" });

await trace.getTracer("app").startActiveSpan("invoke_agent travel", async (root) => {
  root.setAttribute("gen_ai.operation.name", "invoke_agent");
  const question = { messages: [{ role: "user" as const, content: "Book me a flight to New York" }] };
  const { messages } = await withRun(root, () => agent.invoke(question));
  console.log(`The agent says: ${messages.at(-1)?.text}\n`);
  root.end();
});
await awaitAllCallbacks();

const spans = memory.getFinishedSpans();
const calls = spans.filter(({ attributes }) => attributes["openinference.span.kind"] === "TOOL");
for (const { name, attributes } of calls) {
  console.log(name);
  for (const [label, value] of Object.entries(attributes)) {
    if (label.startsWith("trustabl.")) console.log(`  ${label.padEnd(28)} ${value}`);
  }
}

const report = verify(spans);
console.log(`\n${report.verdict}: ${report.examined.toolSpans} tool calls`);
const seen = calls.map(({ attributes }) => [
  attributes["trustabl.tool.attempt"],
  attributes["trustabl.tool.error_class"],
]);
const right = JSON.stringify(seen) === '[[1,"empty"],[2,"empty"],[1,null],[1,"4xx"],[1,null]]';
process.exitCode = report.verdict === "pass" && right ? 0 : 1;
