import { createSdkMcpServer, query } from "@anthropic-ai/claude-agent-sdk";
import { QueryLabels, ToolGuard } from "agent-reliability-otel-labels/claude-agent-sdk";
import { defineTools } from "agent-reliability-otel-labels/contracts";
import { startOtlpRelay } from "agent-reliability-otel-labels/otlp-relay";
import { z } from "zod";
import { endpoint, options } from "./documented-options.ts";

const contracts = defineTools({
  open_issue: {
    description: "Open an issue in the tracker.",
    input: {
      type: "object",
      additionalProperties: false,
      required: ["title", "severity"],
      properties: {
        title: { type: "string", minLength: 1, maxLength: 80 },
        severity: { enum: ["p1", "p2", "p3"] },
      },
    },
    sideEffect: "write",
  },
});
const guard = new ToolGuard({
  server: "tracker",
  contracts,
  show: (schema) => z.looseObject({}).meta(schema),
});
const tracker = createSdkMcpServer({
  name: "tracker",
  alwaysLoad: true,
  tools: [
    guard.tool("open_issue", async ({ title, severity }) => ({
      content: [{ type: "text", text: `opened "${title}" as ${severity}` }],
    })),
  ],
});

const labels = new QueryLabels({ tools: guard.labels });
export const trackerRelay = await startOtlpRelay({ endpoint, labelsOf: labels.labelsOf });
const labelledQuery = labels.wrap(query, trackerRelay);
export const ask = (prompt: string) =>
  labelledQuery({
    prompt,
    options: guard.options({ ...options, mcpServers: { tracker }, allowedTools: ["mcp__tracker"] }),
  });
