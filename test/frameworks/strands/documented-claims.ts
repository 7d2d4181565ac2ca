import { Agent, BeforeToolCallEvent, tool } from "@strands-agents/sdk";
import { mediatedTool, requireReview } from "agent-reliability-otel-labels/strands";
import { ask, mediated, model } from "./documented-desk.ts";

const addComment = mediatedTool(mediated, "add_comment", async ({ issue_id }) => `commented on ${issue_id}`);

const triage = new Agent({ name: "triage", model, tools: [tool(addComment)], printer: false });
triage.addHook(BeforeToolCallEvent, requireReview(mediated));

export const answer = async (prompt: string) => {
  let result = await triage.invoke(prompt);
  while (result.stopReason === "interrupt") {
    const answers = [];
    for (const { id, reason } of result.interrupts ?? []) {
      // `reason` is the call: { tool, arguments }.
      answers.push({ interruptResponse: { interruptId: id, response: await ask(reason) } });
    }
    result = await triage.invoke(answers);
  }
  return result.toString();
};
