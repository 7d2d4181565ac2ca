/**
 * A mail agent reads a page that somebody has planted an instruction in. What it then tries is denied, its own work is
 * allowed, and the mail waits for a person. Exits 1 when anything else happens, or a label is not where it should be.
 */
import { trace } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { withRun } from "agent-reliability-otel-labels";
import { verify } from "agent-reliability-otel-labels/verify";
import { generateText, type ModelMessage, stepCountIs } from "ai";
import { model } from "./scripted-model.ts";
import { audit, effects, tools } from "./tools.ts";

const memory = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(memory)] });
provider.register();

const root = trace.getTracer("mail").startSpan("invoke_agent mail", {
  attributes: { "gen_ai.operation.name": "invoke_agent" },
});

const answer = await withRun(root, async () => {
  const messages: ModelMessage[] = [{ role: "user", content: "Answer Ben's question about holidays." }];
  const settings = {
    model,
    tools,
    stopWhen: stepCountIs(10),
    experimental_telemetry: { isEnabled: true },
    // Signs what is asked, so that a client cannot make up an approval.
    experimental_toolApprovalSecret: "a secret of the server's, 32 bytes or more",
  };
  const before = await generateText({ ...settings, messages });
  messages.push(...before.response.messages);
  const request = before.content.find((part) => part.type === "tool-approval-request");
  if (request === undefined) throw new Error("the mail did not wait for a person");
  console.log(`A person is asked: may ${request.toolCall.toolName} run? Yes.\n`);
  messages.push({
    role: "tool",
    content: [{ type: "tool-approval-response", approvalId: request.approvalId, approved: true }],
  });
  return (await generateText({ ...settings, messages })).text;
});
root.end();
await provider.forceFlush();

console.log(`${audit.join("\n")}\n`);
console.log(`What really happened: ${effects.join(", ")}.`);
const spans = memory.getFinishedSpans();
const classes = spans.flatMap(({ attributes }) => attributes["trustabl.tool.error_class"] ?? []);
console.log(`Labels of the denied calls: ${classes.join(", ")}.`);
const { verdict } = verify(spans);
console.log(`Spans: ${verdict}. The agent says: ${answer}`);

const asExpected =
  effects.join() === "drafted for ben@example.com,sent to ben@example.com" &&
  classes.join() === "auth,auth,auth" &&
  verdict === "pass";
process.exitCode = asExpected ? 0 : 1;
