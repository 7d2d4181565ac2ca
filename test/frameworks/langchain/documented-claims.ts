import { interrupt, MemorySaver } from "@langchain/langgraph";
import { labelTools, mediatedTool, reviewToolCalls } from "agent-reliability-otel-labels/langchain";
import { createAgent, createMiddleware, ToolMessage, tool } from "langchain";
import { mediated, model } from "./documented-mediation.ts";

const addComment = tool(
  ...mediatedTool(mediated, "add_comment", async ({ issue_id }) => `commented on ${issue_id}`),
);

export const agent = createAgent({
  model,
  tools: labelTools([addComment]),
  middleware: [
    createMiddleware({
      name: "claims",
      wrapToolCall: reviewToolCalls(mediated, { interrupt, ToolMessage }),
    }),
  ],
  checkpointer: new MemorySaver(),
});
