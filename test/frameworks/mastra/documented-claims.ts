import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { approveCall, mediatedTool, requireReview } from "agent-reliability-otel-labels/mastra";
import { isApproved, mediated, model } from "./documented-desk.ts";

const addComment = mediatedTool(mediated, "add_comment", async ({ issue_id }) => `commented on ${issue_id}`);

const triage = new Agent({
  id: "triage",
  name: "Triage",
  instructions: "You look after the nightly build.",
  model,
  tools: { add_comment: createTool(addComment) },
  defaultOptions: { requireToolApproval: requireReview(mediated) },
});
// Waiting calls are kept in the storage.
const agent = new Mastra({ agents: { triage }, storage: new InMemoryStore() }).getAgent("triage");

export const answer = async (prompt: string) => {
  let result = await agent.generate(prompt);
  const runId = String(result.runId);
  while (result.finishReason === "suspended") {
    const { suspendPayload } = result; // The call: { toolCallId, toolName, args }.
    result = (await isApproved(suspendPayload))
      ? await agent.approveToolCallGenerate(await approveCall(mediated, { runId, suspendPayload }))
      : await agent.declineToolCallGenerate({ runId, toolCallId: suspendPayload.toolCallId });
  }
  return result.text;
};
