import { setTimeout as sleep } from "node:timers/promises";
import { AlwaysOffSampler, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { describe, expect, it } from "vitest";
import { exitReasonOf, labelTools } from "../../../src/adapters/mastra.ts";
import { canonicalFp } from "../../../src/index.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import { useContextManager } from "../../support/tracing.ts";
import { Application, byStep, isToolSpan, labelsOf, rootsOf } from "../application.ts";
import { scenario } from "../scenario.ts";
import { type AgentOptions, type Any, agentIn, bridged, ROW, search, toolOf } from "./agent.ts";
import { type Answer, call } from "./scripted-model.ts";

useContextManager();

const stream = (application: Application, options: AgentOptions) =>
  application.request(async () => {
    const output = await agentIn(bridged(application), options).stream("go");
    for await (const part of output.fullStream) void part;
    return await output.getFullOutput();
  });

describe("a run of a Mastra agent", () => {
  it("is labelled while it streams", scenario(ROW, "streaming"), async () => {
    const application = new Application();
    const script = [[call("call_1", "search")], [call("call_2", "search")]];
    const { text } = await stream(application, { script, tools: labelTools({ search }) });
    expect(text).toBe("done");
    expect(await application.labelsByCall()).toMatchObject({
      call_1: { attempt: 1, output_fp: canonicalFp({ found: "same" }) },
      call_2: { attempt: 2, step_index: 1 },
    });
    expect(await application.findings()).toEqual([]);
  });

  it("is not mixed up with another at the same time", scenario(ROW, "two-runs"), async () => {
    const application = new Application();
    const observability = bridged(application);
    const wait = toolOf("wait", async ({ q }) => sleep(5, q));
    const tools = labelTools({ wait });
    await Promise.all(
      ["a", "b"].map((q) => {
        const script = ["call_1", "call_2"].map((id): Answer => [call(id, "wait", { q })]);
        return application.request(() => agentIn(observability, { script, tools }).generate("go"));
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
    const application = new Application();
    const observability = bridged(application);
    const wait = toolOf("wait", async ({ q }, { agent }) => {
      await sleep(Number(agent.toolCallId) % 7);
      return `${q} ${agent.toolCallId}`;
    });
    const tools = labelTools({ wait });
    await Promise.all(
      Array.from({ length: 50 }, (_, run) => {
        // Models number their calls alike.
        const calls = Array.from({ length: 20 }, (_, id) => call(String(id), "wait", { q: `run ${run}` }));
        return application.request(() => agentIn(observability, { script: [calls], tools }).generate("go"));
      }),
    );
    const byTrace = Map.groupBy(await application.spans(), ({ traceId }) => traceId);
    expect(byTrace.size).toBe(50);
    for (const spans of byTrace.values()) {
      const [root] = rootsOf(spans).map(labelsOf);
      const toolSpans = byStep(spans);
      expect(toolSpans).toHaveLength(20);
      for (const [index, span] of toolSpans.entries()) {
        const { attributes } = span;
        expect(labelsOf(span)).toEqual({
          run_id: root?.run_id,
          step_index: index,
          attempt: index + 1,
          input_fp: canonicalFp(JSON.parse(String(attributes["gen_ai.tool.call.arguments"]))),
          output_fp: canonicalFp(String(attributes["gen_ai.tool.call.result"])),
        });
        expect(attributes["gen_ai.tool.call.result"]).toContain(` ${attributes["gen_ai.tool.call.id"]}`);
      }
    }
    expect(await application.findings()).toEqual([]);
  });
});

describe("how a run of Mastra ended", () => {
  const ended = async (options: AgentOptions, settings: object = {}, maxSteps?: number) => {
    const application = new Application();
    const result = await application.request(
      () => agentIn(bridged(application), options).generate("go", settings),
      { exitReason: (result) => exitReasonOf(result as Any, maxSteps) },
    );
    const [root] = rootsOf(await application.spans());
    return [(result as Any).finishReason, root?.attributes["trustabl.exit_reason"]];
  };
  const searching = (): AgentOptions => ({
    script: [[call("1", "search")], [call("2", "search")], [call("3", "search")]],
    tools: labelTools({ search }),
  });
  const guard = (when: string) => ({
    id: "guard",
    [when]: async ({ abort }: Any) => abort("no"),
  });

  it("is max_steps when the cap stopped it", async () => {
    expect(await ended(searching(), { maxSteps: 2 })).toEqual(["tool-calls", "max_steps"]);
    expect(await ended(searching(), { maxSteps: 2 }, 2)).toEqual(["tool-calls", "max_steps"]);
  });

  it("is max_steps when the tool of the last step threw", async () => {
    const fails = toolOf("fails", async () => {
      throw new Error("no");
    });
    const options = { script: [[call("1", "fails")], [call("2", "fails")]], tools: { fails } };
    expect(await ended(options, { maxSteps: 1 })).toEqual(["tool-calls", "max_steps"]);
  });

  it("is a final answer when a stop condition stopped it before the cap", async () => {
    const stopWhen = ({ steps }: Any) => steps.length === 1;
    expect(await ended(searching(), { stopWhen }, 5)).toEqual(["tool-calls", "final_answer"]);
  });

  it("is a final answer when it waits for a tool of the client", async () => {
    const client = { ...toolOf("client", () => undefined), execute: undefined };
    const options = { script: [[call("1", "client")]], tools: labelTools({ client }) };
    expect(await ended(options)).toEqual(["tool-calls", "final_answer"]);
  });

  it.each([
    ["of the input", { inputProcessors: [guard("processInput")] }],
    ["of an answer", { outputProcessors: [guard("processOutputStep")] }],
  ])("is policy_stop when a processor %s trips", async (_which, processors) => {
    const [, reason] = await ended({ script: ["hello"], ...processors });
    expect(reason).toBe("policy_stop");
  });

  it.each([
    ["generate", 1],
    ["generate", 2],
    ["stream", 1],
    ["stream", 2],
  ] as const)("is error when it was aborted, which %s throws at nobody, in step %s", async (how, step) => {
    const application = new Application();
    const controller = new AbortController();
    let calls = 0;
    const aborting = toolOf("search", async () => {
      calls += 1;
      if (calls === step) controller.abort();
      return {};
    });
    const agent = agentIn(bridged(application), {
      script: [[call("1", "search")], [call("2", "search")]],
      tools: labelTools({ search: aborting }),
    });
    const settings = { abortSignal: controller.signal };
    await application.request(
      async () => {
        if (how === "generate") return await agent.generate("go", settings);
        return await (await agent.stream("go", settings)).getFullOutput();
      },
      { exitReason: (result) => exitReasonOf(result as Any) },
    );
    expect(calls).toBe(step);
    const [root] = rootsOf(await application.spans());
    expect(root?.attributes["trustabl.exit_reason"]).toBe("error");
  });

  it("is error when the model says so", () => {
    expect(exitReasonOf({ finishReason: "error", steps: [] })).toBe("error");
    expect(exitReasonOf({ finishReason: "stop", steps: [], tripwire: undefined })).toBeUndefined();
  });
});

describe("with telemetry off", () => {
  const options = (): AgentOptions => ({
    script: [[call("call_1", "search"), call("call_2", "search")]],
    tools: labelTools({ search }),
  });

  it(
    "in Mastra, nothing is written and nothing thrown, and the loss is told once",
    scenario(ROW, "telemetry-off"),
    async () => {
      const application = new Application();
      const messages = hearDiagnostics();
      const agent = agentIn(undefined, options());
      const { text }: Any = await application.request(() => agent.generate("go"));
      expect(text).toBe("done");
      const spans = await application.spans();
      expect(spans.filter(isToolSpan)).toEqual([]);
      expect(await application.labelsByCall()).toEqual({});
      expect(ownMessages(messages)).toEqual([
        expect.stringContaining('no tool span was found for a call of the tool "search"'),
      ]);
    },
  );

  it("in OpenTelemetry, nothing is written, thrown or said", async () => {
    const application = new Application();
    const unsampled = {
      provider: new NodeTracerProvider({ sampler: new AlwaysOffSampler() }),
    } as Application;
    const messages = hearDiagnostics();
    const agent = agentIn(bridged(unsampled), options());
    const { text }: Any = await application.request(() => agent.generate("go"));
    expect(text).toBe("done");
    expect(await application.labelsByCall()).toEqual({});
    expect(ownMessages(messages)).toEqual([]);
  });
});
