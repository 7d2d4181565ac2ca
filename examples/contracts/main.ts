/**
 * Five tools as data, given unchanged to two frameworks. Bad calls are refused with a message for the model, run nothing and are
 * labelled; dropping `confirm` is found as a loosening; a review finds what an agent's definition lacks. Exits 1 when anything
 * else happens.
 */
import { OpenAIAgentsInstrumentation } from "@arizeai/openinference-instrumentation-openai-agents";
import * as agents from "@openai/agents";
import { trace } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { withRun } from "agent-reliability-otel-labels";
import { defineTools, diffRegistries, reviewDefinitions } from "agent-reliability-otel-labels/contracts";
import { AgentsSpanTracker } from "agent-reliability-otel-labels/openai-agents";
import { verify } from "agent-reliability-otel-labels/verify";
import { contracts, effects } from "./tools.ts";
import { runWithAiSdk } from "./with-ai-sdk.ts";
import { runWithOpenAiAgents } from "./with-openai-agents.ts";

const exporter = new InMemorySpanExporter();
const tracerProvider = new NodeTracerProvider({
  spanProcessors: [new AgentsSpanTracker(), new SimpleSpanProcessor(exporter)],
});
tracerProvider.register();
new OpenAIAgentsInstrumentation({ tracerProvider }).manuallyInstrument(agents);

const refusals: string[] = [];
for (const [framework, run] of [
  ["AI SDK", runWithAiSdk],
  ["OpenAI Agents", runWithOpenAiAgents],
] as const) {
  const attributes = { "gen_ai.operation.name": "invoke_agent" };
  await trace.getTracer("triage").startActiveSpan("invoke_agent triage", { attributes }, async (root) => {
    const told = await withRun(root, run);
    console.log(`${framework}: what the model was told\n  ${told.join("\n  ")}`);
    refusals.push(...told);
    root.end();
  });
}
await tracerProvider.forceFlush();
const spans = exporter.getFinishedSpans();
const classes = spans.flatMap(({ attributes }) => attributes["trustabl.tool.error_class"] ?? []);
const { verdict } = verify(spans);
console.log(`\nWhat really happened:\n  ${effects.join("\n  ")}`);
console.log(`Labels of the refused calls: ${classes.join(", ")}. Spans: ${verdict}.`);

// As `otel-labels contracts diff before.json after.json` prints it, with exit code 1.
const careless = defineTools({ ...contracts, rerun_job: { ...contracts.rerun_job!, confirm: false } });
const loosened = diffRegistries(contracts, careless).filter(({ kind }) => kind === "loosening");
console.log(`\nWithout confirm: ${loosened.map(({ tool, what }) => `${tool}: ${what}`).join("; ")}.`);

// As `otel-labels review agent.ts` prints it.
const vague = agents.tool({
  name: "update",
  description: " ",
  parameters: { type: "object", properties: {}, required: [], additionalProperties: true },
  strict: false,
  execute: async () => "",
});
const { findings } = reviewDefinitions(new agents.Agent({ name: "careless", tools: [vague] }));
console.log(`Review: ${findings.map(({ rule, subject }) => `${rule} ${subject}`).join(", ")}.`);

const asExpected =
  refusals.length === 6 &&
  effects.length === 6 &&
  effects.every((effect) => !effect.includes("4712") && !effect.includes("p4")) &&
  classes.join() === "schema,schema,schema,schema,schema,schema" &&
  verdict === "pass" &&
  loosened.length === 1 &&
  findings.some(({ rule }) => rule === "OAI-001");
process.exitCode = asExpected ? 0 : 1;
