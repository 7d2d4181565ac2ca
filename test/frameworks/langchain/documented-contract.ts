import { defineTools } from "agent-reliability-otel-labels/contracts";
import { contractTool, labelTools } from "agent-reliability-otel-labels/langchain";
import { tool } from "langchain";

const contracts = defineTools({
  add_comment: {
    description: "Comment on one issue of the tracker.",
    input: {
      type: "object",
      additionalProperties: false,
      required: ["issue_id", "text"],
      properties: { issue_id: { type: "string", maxLength: 12 }, text: { type: "string", maxLength: 500 } },
    },
    sideEffect: "write",
  },
});

const addComment = tool(
  ...contractTool(contracts.add_comment, async ({ issue_id }) => `commented on ${issue_id}`),
);

export const tools = labelTools([addComment]);
