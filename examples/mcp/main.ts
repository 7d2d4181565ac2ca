/**
 * A client of the Model Context Protocol whose calls are labelled on Traceloop's spans. No network: the server is a process
 * of this folder, and a script calls the tools in a model's place. Run it with `npm start`.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { trace } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { McpInstrumentation } from "@traceloop/instrumentation-mcp";
import { withRun } from "agent-reliability-otel-labels";
import { labelClient } from "agent-reliability-otel-labels/mcp";
import { verify } from "agent-reliability-otel-labels/verify";

const memory = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(memory)] });
provider.register();
const instrumentation = new McpInstrumentation();
instrumentation.setTracerProvider(provider);
instrumentation.manuallyInstrument({ Client });

// #region labels
const client = labelClient(new Client({ name: "agent", version: "1.0.0" }), {
  search_flights: {
    sideEffect: "read",
    isEmpty: ({ structuredContent }) => (structuredContent as { flights: string[] }).flights.length === 0,
  },
  book_flight: { sideEffect: "irreversible" },
  check_visa: { sideEffect: "read" },
});
// #endregion

/** What a model would do: search, search again, book, and ask a tool that never answers. */
async function agent(): Promise<void> {
  const search = (date: string) =>
    client.callTool({ name: "search_flights", arguments: { to: "JFK", date } });
  await search("2026-10-01");
  await search("2026-10-01");
  await search("2026-10-02");
  await client.callTool({ name: "book_flight", arguments: { flight: "BA117" } });
  const visa = { name: "check_visa", arguments: { country: "US" } };
  await client
    .callTool(visa, undefined, { timeout: 200 })
    .catch(() => console.log("check_visa did not answer\n"));
}

await trace.getTracer("app").startActiveSpan("invoke_agent travel", async (root) => {
  root.setAttribute("gen_ai.operation.name", "invoke_agent");
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: ["--import", "tsx", "server.ts"] }),
  );
  await withRun(root, agent);
  await client.close();
  root.end();
});

const spans = memory.getFinishedSpans();
const tools = spans.filter(({ attributes }) => attributes["traceloop.span.kind"] === "tool");
for (const { name, attributes } of tools) {
  console.log(name);
  for (const [label, value] of Object.entries(attributes)) {
    if (label.startsWith("trustabl.")) console.log(`  ${label.padEnd(28)} ${value}`);
  }
}

const report = verify(spans);
console.log(`\n${report.verdict}: ${report.examined.toolSpans} tool calls`);
const seen = tools.map(({ attributes }) => [
  attributes["trustabl.tool.attempt"],
  attributes["trustabl.tool.error_class"],
]);
const right = JSON.stringify(seen) === '[[1,"empty"],[2,"empty"],[1,null],[1,null],[1,"timeout"]]';
process.exitCode = report.verdict === "pass" && right ? 0 : 1;
