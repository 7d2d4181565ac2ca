import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { trace } from "@opentelemetry/api";
import { McpInstrumentation } from "@traceloop/instrumentation-mcp";
import { withRun } from "agent-reliability-otel-labels";
import { labelClient } from "agent-reliability-otel-labels/mcp";
import { transport } from "./documented-server.ts";

new McpInstrumentation().manuallyInstrument({ Client });

const client = labelClient(new Client({ name: "travel", version: "1.0.0" }), {
  search_flights: { sideEffect: "read" },
  book_flight: { sideEffect: "irreversible" },
});
await client.connect(transport);

export const book = (to: string) =>
  trace.getTracer("app").startActiveSpan("invoke_agent travel", async (root) => {
    root.setAttribute("gen_ai.operation.name", "invoke_agent");
    try {
      return await withRun(root, async () => {
        await client.callTool({ name: "search_flights", arguments: { to } });
        return client.callTool({ name: "book_flight", arguments: { flight: `LHR-${to}` } });
      });
    } finally {
      root.end();
    }
  });
