/** The frameworks of the skill, in its order: what makes their spans, and the document whose first code block is shown. */
export const FRAMEWORKS: readonly {
  readonly document: string;
  readonly spans: string;
}[] = [
  {
    document: "ai-sdk",
    spans:
      "Spans: `experimental_telemetry: { isEnabled: true }` on each call in AI SDK 5 and 6; in 7 register `@ai-sdk/otel` once, since the old option emits nothing there.",
  },
  {
    document: "openai-agents",
    spans:
      "Spans: the SDK has a tracing of its own; `@arizeai/openinference-instrumentation-openai-agents` copies it to OpenTelemetry. The tool's span is never the active one, hence the tracker.",
  },
  {
    document: "langchain",
    spans:
      "Spans: `@arizeai/openinference-instrumentation-langchain`, `@traceloop/instrumentation-langchain`, or the handler of `@langfuse/langchain`. Set `LANGCHAIN_CALLBACKS_BACKGROUND=false`.",
  },
  {
    document: "claude-agent-sdk",
    spans:
      "Spans: the SDK's subprocess makes them, out of reach of this process; the relay adds the labels on their way. Do not wrap in-process tools as well.",
  },
  {
    document: "mastra",
    spans:
      "Spans: `@mastra/otel-bridge`. With an `OtelExporter` alone there is no live span, and nothing is labelled.",
  },
  {
    document: "mcp",
    spans:
      "Spans: the SDK makes none. A client's come from `@traceloop/instrumentation-mcp`, or from the agent framework around it; then leave the labels to that framework's adapter.",
  },
  { document: "google-adk", spans: "Spans: ADK makes them itself." },
  { document: "strands", spans: "Spans: Strands makes them itself, once a provider is registered." },
];
