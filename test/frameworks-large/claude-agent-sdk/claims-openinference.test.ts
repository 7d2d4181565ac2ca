/** Claims where the spans are OpenInference's. */
import * as sdk from "@anthropic-ai/claude-agent-sdk";
import { ClaudeAgentSDKInstrumentation } from "@arizeai/openinference-instrumentation-claude-agent-sdk";
import { afterAll, describe, expect, it } from "vitest";
import { QueryLabels } from "../../../src/adapters/claude-agent-sdk.ts";
import { canonicalFp, withRun } from "../../../src/index.ts";
import { aligned, comment, misaligned, triageDesk } from "../../frameworks/triage-desk.ts";
import { hermetic, readAll } from "./agent.ts";
import { scripted, startModel } from "./fake-model.ts";
import { check, inSpan, labelsOf, startTracing, takeSpans } from "./tracing.ts";
import { call, claimGuard } from "./triage-agent.ts";

const desk = triageDesk();
const guard = claimGuard(desk);
const labels = new QueryLabels({ tools: guard.labels });
const tracerProvider = startTracing(labels.spanProcessor);
const model = await startModel();
const { options, remove } = hermetic(model.url);
const { query } = new ClaudeAgentSDKInstrumentation({ tracerProvider }).manuallyInstrument({
  ...sdk,
  query: labels.wrap(sdk.query),
});
afterAll(() => {
  model.close();
  remove();
});

describe("a claim with OpenInference", () => {
  it("labels what was denied and what ran, each once, also in a run of the application", async () => {
    const add = guard.tool("add_comment", async (args) => ({
      content: [{ type: "text", text: await desk.work(args) }],
    }));
    const triage = sdk.createSdkMcpServer({ name: "triage", tools: [add] });
    const prompt = scripted([
      [call("add_comment", misaligned)],
      [call("add_comment", aligned)],
      [call("add_comment", aligned)],
    ]);
    const given = { ...options(), mcpServers: { triage }, allowedTools: ["mcp__triage"] };
    await inSpan("invoke_agent helper", { "gen_ai.operation.name": "invoke_agent" }, (root) =>
      withRun(root, () => readAll(query({ prompt, options: guard.options(given) }))),
    );
    const spans = takeSpans();
    const root = spans.filter(({ name }) => name === "invoke_agent helper");
    const tools = check(spans, 3, root);
    expect(desk.effects).toEqual([comment, comment]);
    expect(tools.map((span) => labelsOf(span)["trustabl.step_index"])).toEqual([0, 1, 2]);
    expect(tools.map((span) => labelsOf(span)["trustabl.tool.attempt"])).toEqual([1, 1, 2]);
    expect(tools.map((span) => labelsOf(span)["trustabl.tool.error_class"])).toEqual([
      "auth",
      undefined,
      undefined,
    ]);
    expect(labelsOf(tools[1])["trustabl.tool.input_fp"]).toBe(canonicalFp(comment));
  });
});
