import { type Event, FunctionTool, InMemoryRunner, LlmAgent } from "@google/adk";
import { mediatedTool } from "agent-reliability-otel-labels/google-adk";
import { isApproved, mediated, triageModel } from "./documented-desk.ts";

const addComment = mediatedTool(mediated, "add_comment", async ({ issue_id }) => ({ commented: issue_id }));

const agent = new LlmAgent({ name: "triage", model: triageModel, tools: [new FunctionTool(addComment)] });
const runner = new InMemoryRunner({ agent, appName: "app" });

export const answer = async (text: string) => {
  const { id: sessionId } = await runner.sessionService.createSession({ appName: "app", userId: "u" });
  let parts: object[] = [{ text }];
  let events: Event[] = [];
  while (parts.length > 0) {
    events = [];
    const newMessage = { role: "user", parts };
    for await (const event of runner.runAsync({ userId: "u", sessionId, newMessage })) events.push(event);
    parts = [];
    for (const { content } of events) {
      for (const { functionCall: question } of content?.parts ?? []) {
        if (question?.name !== "adk_request_confirmation") continue;
        const { name, id } = question;
        const confirmed = await isApproved(question.args?.originalFunctionCall);
        parts.push({ functionResponse: { name, id, response: { confirmed } } });
      }
    }
  }
  return events.at(-1)?.content?.parts?.at(0)?.text;
};
