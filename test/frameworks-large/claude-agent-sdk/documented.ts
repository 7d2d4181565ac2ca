import { query } from "@anthropic-ai/claude-agent-sdk";
import { QueryLabels } from "agent-reliability-otel-labels/claude-agent-sdk";
import { startOtlpRelay } from "agent-reliability-otel-labels/otlp-relay";
import { endpoint, options } from "./documented-options.ts";

const labels = new QueryLabels({
  tools: {
    Bash: { sideEffect: "write" },
    mcp__demo__lookup: { sideEffect: "read" },
  },
});
export const relay = await startOtlpRelay({ endpoint, labelsOf: labels.labelsOf });
const labelledQuery = labels.wrap(query, relay);

export async function answer(prompt: string): Promise<string | undefined> {
  let text: string | undefined;
  for await (const message of labelledQuery({ prompt, options })) {
    if (message.type === "result" && message.subtype === "success") text = message.result;
  }
  return text;
}
