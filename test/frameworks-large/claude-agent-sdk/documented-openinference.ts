import * as sdk from "@anthropic-ai/claude-agent-sdk";
import { ClaudeAgentSDKInstrumentation } from "@arizeai/openinference-instrumentation-claude-agent-sdk";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { QueryLabels } from "agent-reliability-otel-labels/claude-agent-sdk";
import { exporting } from "./documented-exporter.ts";

const labels = new QueryLabels({ tools: { mcp__demo__lookup: { sideEffect: "read" } } });
const tracerProvider = new NodeTracerProvider({ spanProcessors: [labels.spanProcessor, exporting] });
tracerProvider.register();

export const { query } = new ClaudeAgentSDKInstrumentation({ tracerProvider }).manuallyInstrument({
  ...sdk,
  query: labels.wrap(sdk.query),
});
