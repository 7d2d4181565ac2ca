import { it } from "vitest";
import * as agents from "@openai/agents";
import { Desk, recordingModel, commentCall, askedIn } from "./mediated-desk.ts";
import { unsure } from "../triage-desk.ts";
import { openInference } from "./open-inference.ts";
import { exported, traceAgents, labelsOf } from "./traced.ts";
it("x", async () => {
  traceAgents(agents, openInference);
  const log: string[] = [];
  agents.addTraceProcessor({ onTraceStart: async () => {}, onTraceEnd: async () => {}, shutdown: async () => {}, forceFlush: async () => {},
    onSpanStart: async (s: any) => { log.push(`start ${s.spanData.type} ${s.spanData.name} ${s.spanId} < ${s.parentId}`); }, onSpanEnd: async (s: any) => { log.push(`end ${s.spanData.type} ${s.spanData.name} ${s.spanId}`); } } as any);
  const t = new Desk(agents as any);
  const outer = t.delegating("agent as a tool", [commentCall("inner_1", unsure)]);
  await t.conversation(outer, async (asked) => { log.push("-- asked"); await t.answer(asked, () => true); });
  console.log(log.join("\n"));
  const { spans } = await exported({ passes: false });
  console.log(spans.map((s) => `${s.name} ${s.spanId} < ${s.parentSpanId} ${JSON.stringify(labelsOf(s))}`).join("\n"));
});
