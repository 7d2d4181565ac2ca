import { setTimeout as sleep } from "node:timers/promises";
import { trace } from "@opentelemetry/api";
import { AlwaysOffSampler, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { beforeEach, describe, expect, it } from "vitest";
import { exitReasonOf, labelTools } from "../../../src/adapters/strands.ts";
import { canonicalFp } from "../../../src/index.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import { useContextManager } from "../../support/tracing.ts";
import { Application, byStep, isToolSpan, labelsOf, rootsOf } from "../application.ts";
import { scenario } from "../scenario.ts";
import { type Any, agentOf, NEWEST_CONVENTIONS, ROW, search, toolOf, use } from "./agent.ts";
import { type Answer, call } from "./scripted-model.ts";

useContextManager();

let application: Application;
beforeEach(() => {
  // Only this says what a call was given and gave, for the verifier to compare.
  process.env.OTEL_SEMCONV_STABILITY_OPT_IN = NEWEST_CONVENTIONS;
  application = new Application();
  use(application);
});

describe("a run of a Strands agent", () => {
  it("is labelled while it streams", scenario(ROW, "streaming"), async () => {
    const script = [[call("call_1", "search")], [call("call_2", "search")]];
    await application.request(async () => {
      for await (const event of agentOf(script, { tools: labelTools([search]) }).stream("go")) void event;
    });
    expect(await application.labelsByCall()).toMatchObject({
      call_1: { attempt: 1, output_fp: canonicalFp({ found: "same" }) },
      call_2: { attempt: 2, step_index: 1 },
    });
    expect(await application.findings()).toEqual([]);
  });

  it("is not mixed up with another at the same time", scenario(ROW, "two-runs"), async () => {
    const tools = labelTools([toolOf("wait", async ({ q }) => sleep(5, q))]);
    await Promise.all(
      ["a", "b"].map((q) => {
        const script = ["call_1", "call_2"].map((id): Answer => [call(id, "wait", { q })]);
        return application.request(() => agentOf(script, { tools }).invoke("go"));
      }),
    );
    const byTrace = Map.groupBy(await application.spans(), ({ traceId }) => traceId);
    expect(byTrace.size).toBe(2);
    for (const spans of byTrace.values()) {
      const [root] = rootsOf(spans).map(labelsOf);
      const labels = byStep(spans).map(labelsOf);
      expect(labels.map(({ attempt, step_index }) => [attempt, step_index])).toEqual([
        [1, 0],
        [2, 1],
      ]);
      for (const { run_id } of labels) expect(run_id).toBe(root?.run_id);
    }
    expect(await application.findings()).toEqual([]);
  });

  it("is not mixed up with 49 others, each with 20 calls at the same time", { timeout: 60_000 }, async () => {
    const wait = toolOf("wait", async ({ q }, { toolUse }) => {
      await sleep(Number(toolUse.toolUseId) % 7);
      return `${q} ${toolUse.toolUseId}`;
    });
    const tools = labelTools([wait]);
    await Promise.all(
      Array.from({ length: 50 }, (_, run) => {
        // Models number their calls alike.
        const calls = Array.from({ length: 20 }, (_, id) => call(String(id), "wait", { q: `run ${run}` }));
        return application.request(() => agentOf([calls], { tools }).invoke("go"));
      }),
    );
    const byTrace = Map.groupBy(await application.spans(), ({ traceId }) => traceId);
    expect(byTrace.size).toBe(50);
    for (const spans of byTrace.values()) {
      const [root] = rootsOf(spans).map(labelsOf);
      const toolSpans = byStep(spans);
      expect(toolSpans).toHaveLength(20);
      for (const [index, { attributes, ...span }] of toolSpans.entries()) {
        const input = JSON.parse(String(attributes["gen_ai.tool.call.arguments"]));
        expect(labelsOf({ ...span, attributes })).toEqual({
          run_id: root?.run_id,
          step_index: index,
          attempt: index + 1,
          input_fp: canonicalFp(input),
          output_fp: canonicalFp(`${input.q} ${attributes["gen_ai.tool.call.id"]}`),
        });
      }
    }
    expect(await application.findings()).toEqual([]);
  });
});

describe("how a run of Strands ended", () => {
  const ended = async (script: readonly Answer[], options: Any = {}) => {
    const agent = agentOf(script, { tools: labelTools([search]) });
    const result = await application.request(() => agent.invoke("go", options), { exitReason: exitReasonOf });
    const [root] = rootsOf(await application.spans());
    return [result.stopReason, root?.attributes["trustabl.exit_reason"]];
  };
  const searching = [[call("1", "search")], [call("2", "search")], [call("3", "search")]];

  it("is max_steps when the limit of turns stopped it", async () => {
    expect(await ended(searching, { limits: { turns: 2 } })).toEqual(["limitTurns", "max_steps"]);
  });

  it("is a final answer when the model gave one", async () => {
    expect(await ended(["hello"])).toEqual(["endTurn", "final_answer"]);
  });

  it("is error when the application cancelled it", async () => {
    const cancelled = { cancelSignal: AbortSignal.abort() };
    expect(await ended(["hello"], cancelled)).toEqual(["cancelled", "error"]);
  });

  it.each([
    ["limitTotalTokens", "policy_stop"],
    ["limitOutputTokens", "policy_stop"],
    ["guardrailIntervened", "policy_stop"],
    ["contentFiltered", "policy_stop"],
    ["maxTokens", "error"],
    ["modelContextWindowExceeded", "error"],
    ["interrupt", undefined],
    ["constructor", undefined],
  ])("is, for %s, %s", (stopReason, reason) => {
    expect(exitReasonOf({ stopReason })).toBe(reason);
  });
});

describe("with telemetry off", () => {
  const answer = () => {
    const script = [[call("call_1", "search"), call("call_2", "search")]];
    const agent = agentOf(script, { tools: labelTools([search]) });
    return application.request(() => agent.invoke("go"));
  };

  it(
    "since no tracer provider is registered, nothing is written or thrown",
    scenario(ROW, "telemetry-off"),
    async () => {
      trace.disable();
      hearDiagnostics();
      const result = await answer();
      expect(result.toString()).toBe("done");
      expect((await application.spans()).filter(isToolSpan)).toEqual([]);
      expect(await application.labelsByCall()).toEqual({});
    },
  );

  it("since no trace is sampled, nothing is written, thrown or said", async () => {
    use({ provider: new NodeTracerProvider({ sampler: new AlwaysOffSampler() }) } as Application);
    const messages = hearDiagnostics();
    expect((await answer()).toString()).toBe("done");
    expect(await application.labelsByCall()).toEqual({});
    expect(ownMessages(messages)).toEqual([]);
  });
});
