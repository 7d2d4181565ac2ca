/** What has to hold for every version of the SDK, and for both ways of labelling. */
import { setTimeout as sleep } from "node:timers/promises";
import { trace } from "@opentelemetry/api";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type AgentsToolDefinition,
  labelRunner,
  labelTool,
  labelTools,
} from "../../../src/adapters/openai-agents.ts";
import { canonicalFp, currentRun } from "../../../src/index.ts";
import type { SpanView } from "../../../src/verify/index.ts";
import { type ScenarioId, scenario } from "../scenario.ts";
import type { Bridge } from "./bridge.ts";
import { calls, says, scriptedModel } from "./scripted-model.ts";
import { type Agents, asRun, exported, inRequest, labelsOf, traceAgents, tracker } from "./traced.ts";

interface Details {
  readonly toolCall?: { readonly callId: string };
}

/** Wrapping functions, wrapping tools, hooks, or several at once. */
const WAYS = [
  { way: "wrapped functions", wraps: true, lists: false, hooks: false },
  { way: "a list of tools", wraps: false, lists: true, hooks: false },
  { way: "hooks", wraps: false, lists: false, hooks: true },
  { way: "all of these", wraps: true, lists: true, hooks: true },
];

const declared = { sideEffect: "read" } as const;

const runIdOf = (span: SpanView) => labelsOf(span)["trustabl.run_id"];
const stepsOf = (spans: readonly SpanView[]) => spans.map((span) => labelsOf(span)["trustabl.step_index"]);
const attemptsOf = (spans: readonly SpanView[]) =>
  spans.map((span) => labelsOf(span)["trustabl.tool.attempt"]);

export function describeAgents(
  agents: Agents,
  version: string,
  bridge: Bridge,
  { hasTimeouts = true, isLate = true } = {},
): void {
  const row = `OpenAI Agents ${version} with ${bridge.name}`;
  const shows = (...ids: ScenarioId[]) => scenario(row, ids);

  /** The result that the framework captured names the call: the label has to be of that very result. */
  const expectOwnResults = (spans: readonly SpanView[]): void => {
    for (const span of spans) {
      expect(labelsOf(span)["trustabl.tool.output_fp"]).toBe(canonicalFp(span.attributes[bridge.result]));
    }
  };

  describe.each(WAYS)(`${row}, labelled by $way`, ({ wraps, lists, hooks }) => {
    beforeEach(() => traceAgents(agents, bridge));

    function weather(
      execute: (args: { city: string }, context?: unknown, details?: Details) => unknown = async (
        { city },
        _context,
        details,
      ) => `Sunny in ${city} for ${details?.toolCall?.callId}`,
      more: object = {},
      definition: AgentsToolDefinition = declared,
    ) {
      const tool = agents.tool({
        name: "get_weather",
        description: "The weather of a city",
        parameters: z.object({ city: z.string() }),
        execute: (wraps ? labelTool({ name: "get_weather", ...definition }, execute) : execute) as never,
        ...more,
      });
      return lists ? labelTools([tool], { get_weather: definition })[0] : tool;
    }

    const newRunner = () => {
      const runner = new agents.Runner({ workflowName: "workflow" });
      return hooks ? labelRunner(runner, { get_weather: declared, ask_inner: declared }) : runner;
    };

    const newAgent = (model: object, tools: unknown[], more: object = {}) =>
      new agents.Agent({
        name: "Helper",
        instructions: "help",
        model: model as never,
        tools: tools as never,
        ...more,
      });

    const rome = (callId: string) => calls("get_weather", { city: "Rome" }, callId);

    it(
      "labels three identical calls in sequence, each on its own span, and no span of the application",
      shows("sequence", "application-span"),
      async () => {
        const model = scriptedModel(agents, [rome("1")], [rome("2")], [rome("3")], [says("done")]);
        await inRequest(() => asRun(() => newRunner().run(newAgent(model, [weather()]), "q")));
        const { tools, named } = await exported();
        const spans = tools("get_weather");
        expect(spans.map((span) => labelsOf(span))).toEqual(
          [0, 1, 2].map((index) => ({
            "trustabl.run_id": runIdOf(named("invoke_agent app")),
            "trustabl.step_index": index,
            "trustabl.tool.attempt": index + 1,
            "trustabl.tool.side_effect": "read",
            "trustabl.tool.input_fp": canonicalFp({ city: "Rome" }),
            "trustabl.tool.output_fp": canonicalFp(`Sunny in Rome for ${index + 1}`),
          })),
        );
        expectOwnResults(spans);
        expect(tracker.size).toEqual({ live: 0, waiting: 0, hooked: 0 });
      },
    );

    it("does not mix up identical calls that run at the same time", shows("parallel"), async () => {
      const slow = weather(async ({ city }, _context, details) => {
        await sleep(Math.random() * 15);
        return `Sunny in ${city} for ${details?.toolCall?.callId}`;
      });
      const ids = Array.from({ length: 8 }, (_, index) => `p${index}`);
      const model = scriptedModel(agents, ids.map(rome), [says("done")]);
      await asRun(() => newRunner().run(newAgent(model, [slow]), "q"));
      const spans = (await exported()).tools("get_weather");
      expectOwnResults(spans);
      expect(new Set(spans.map((span) => labelsOf(span)["trustabl.tool.output_fp"])).size).toBe(8);
      expect(stepsOf(spans).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      expect(attemptsOf(spans).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    });

    it(
      "labels a tool that throws, with the class of what it threw where the tool is wrapped",
      shows("throws"),
      async () => {
        const failing = weather(async () => {
          throw Object.assign(new Error("no"), { status: 503 });
        });
        const model = scriptedModel(agents, [rome("1")], [rome("2")], [says("done")]);
        await asRun(() => newRunner().run(newAgent(model, [failing]), "q"));
        const spans = (await exported()).tools("get_weather");
        for (const span of spans) {
          expect(labelsOf(span)["trustabl.tool.output_fp"]).toBe(canonicalFp(null));
          expect(labelsOf(span)["trustabl.tool.error_class"]).toBe(wraps ? "5xx" : undefined);
        }
        expect(attemptsOf(spans)).toEqual([1, 2]);
      },
    );

    it("labels a tool whose error ends the run", async () => {
      const fatal = weather(
        async () => {
          throw new Error("no");
        },
        { errorFunction: null },
      );
      const model = scriptedModel(agents, [rome("1")]);
      await expect(asRun(() => newRunner().run(newAgent(model, [fatal]), "q"))).rejects.toThrow();
      const { tools, named } = await exported();
      expect(tools().map((span) => labelsOf(span)["trustabl.tool.output_fp"])).toEqual([canonicalFp(null)]);
      expect(labelsOf(named("invoke_agent app"))["trustabl.exit_reason"]).toBe("error");
    });

    it("labels a failure that the tool returns", shows("returned-failure"), async () => {
      const text = "no such city";
      const definition = {
        ...declared,
        errorClass: (_error: unknown, result: unknown) => (result === text ? ("4xx" as const) : undefined),
      };
      const tool = weather(async () => text, {}, definition);
      const runner = new agents.Runner({ workflowName: "workflow" });
      if (hooks) labelRunner(runner, { get_weather: definition });
      const model = scriptedModel(agents, [rome("1")], [says("done")]);
      await asRun(() => runner.run(newAgent(model, [tool]), "q"));
      const [span] = (await exported()).tools();
      expect(labelsOf(span as SpanView)["trustabl.tool.error_class"]).toBe("4xx");
    });

    it("labels the calls of a streamed run", shows("streaming"), async () => {
      const model = scriptedModel(agents, [rome("1"), rome("2")], [says("done")]);
      await asRun(async () => {
        const stream = await newRunner().run(newAgent(model, [weather()]), "q", { stream: true });
        for await (const _event of stream);
        await stream.completed;
      });
      const spans = (await exported()).tools("get_weather");
      expectOwnResults(spans);
      expect(stepsOf(spans)).toEqual([0, 1]);
    });

    it("keeps two runs at the same time apart", shows("two-runs"), async () => {
      const runner = newRunner();
      const slow = weather(async ({ city }, _context, details) => {
        await sleep(Math.random() * 10);
        return `Sunny in ${city} for ${details?.toolCall?.callId}`;
      });
      const run = () =>
        asRun(async () => {
          const model = scriptedModel(agents, [rome("1"), rome("2")], [rome("3")], [says("done")]);
          await runner.run(newAgent(model, [slow]), "q");
          return currentRun()?.runId;
        });
      const ids = await inRequest(() => Promise.all([run(), run()]));
      const spans = (await exported()).tools("get_weather");
      expectOwnResults(spans);
      for (const id of ids) {
        expect(stepsOf(spans.filter((span) => runIdOf(span) === id)).sort()).toEqual([0, 1, 2]);
      }
    });

    it("labels an agent that is a tool, and marks the delegated agent", shows("delegation"), async () => {
      const runner = newRunner();
      const inner = newAgent(
        scriptedModel(agents, [rome("i1"), rome("i2")], [says("inner done")]),
        [weather()],
        {
          name: "Inner",
        },
      );
      if (hooks) labelRunner(inner, { get_weather: declared });
      // There is no function to wrap.
      else labelRunner(runner, { ask_inner: declared });
      const asTool = inner.asTool({ toolName: "ask_inner", toolDescription: "Asks" });
      const model = scriptedModel(
        agents,
        [calls("ask_inner", { input: "q" }, "o1"), rome("o2")],
        [says("done")],
      );
      await asRun(() => runner.run(newAgent(model, [asTool, weather()]), "q"));
      const { tools, named, spans } = await exported();
      expectOwnResults(tools("get_weather"));
      expect(tools("get_weather").length).toBe(3);
      expect(stepsOf(tools()).sort()).toEqual([0, 1, 2, 3]);
      const byArguments = canonicalFp({ city: "Rome" });
      expect(labelsOf(tools("ask_inner")[0] as SpanView)["trustabl.tool.input_fp"]).not.toBe(byArguments);
      expect(labelsOf(named(bridge.agentSpan("Inner")))).toEqual({
        "trustabl.handoff_id": expect.stringMatching(/^span_/),
      });
      expect(spans.filter((span) => "trustabl.handoff_id" in labelsOf(span)).length).toBe(1);
    });

    it("marks an agent that was handed over to, and counts on", shows("delegation"), async () => {
      const specialist = newAgent(scriptedModel(agents, [rome("s1")], [says("done")]), [weather()], {
        name: "Specialist",
      });
      const model = scriptedModel(agents, [rome("f1")], [calls("transfer_to_Specialist", {}, "h1")]);
      const front = newAgent(model, [weather()], { handoffs: [specialist] });
      await asRun(() => newRunner().run(front, "q"));
      const { tools, named, spans } = await exported();
      expect(stepsOf(tools("get_weather"))).toEqual([0, 1]);
      expect(labelsOf(named(bridge.agentSpan("Specialist")))).toEqual({
        "trustabl.handoff_id": expect.stringMatching(/^span_/),
      });
      expect(spans.filter((span) => "trustabl.handoff_id" in labelsOf(span)).length).toBe(1);
    });

    it("labels a call that was approved, when it runs", shows("approval-granted"), async () => {
      const model = scriptedModel(agents, [rome("1")], [says("done")]);
      const agent = newAgent(model, [weather(undefined, { needsApproval: true })]);
      const runner = newRunner();
      await asRun(async () => {
        const first = await runner.run(agent, "q");
        const [interruption] = first.interruptions;
        first.state.approve(interruption as never);
        await runner.run(agent, first.state);
      });
      const spans = (await exported()).tools("get_weather");
      expectOwnResults(spans);
      expect(stepsOf(spans)).toEqual([0]);
    });

    it("writes nothing for a call that was refused: no tool ran", shows("approval-refused"), async () => {
      const model = scriptedModel(agents, [rome("1")], [says("done")]);
      const agent = newAgent(model, [weather(undefined, { needsApproval: true })]);
      const runner = newRunner();
      await asRun(async () => {
        const first = await runner.run(agent, "q");
        const [interruption] = first.interruptions;
        first.state.reject(interruption as never);
        await runner.run(agent, first.state);
      });
      const spans = (await exported()).tools("get_weather");
      expect(spans.map(labelsOf)).toEqual([{}]);
    });

    if (hasTimeouts) {
      it("drops what comes after a timeout", async () => {
        let finished = () => {};
        const late = new Promise<void>((resolve) => {
          finished = resolve;
        });
        const slow = weather(
          async () => {
            await sleep(60);
            finished();
            return "late";
          },
          { timeoutMs: 10 },
        );
        const model = scriptedModel(agents, [rome("1")], [says("done")]);
        await inRequest(() =>
          asRun(async () => {
            await newRunner().run(newAgent(model, [slow]), "q");
            await late;
          }),
        );
        const [span] = (await exported()).tools("get_weather");
        const labels = labelsOf(span as SpanView);
        expect(labels["trustabl.tool.attempt"]).toBe(1);
        expect(labels["trustabl.tool.output_fp"]).not.toBe(canonicalFp("late"));
      });
    }

    it("writes nothing, and throws nothing, with the SDK's tracing off", shows("telemetry-off"), async () => {
      agents.setTracingDisabled(true);
      try {
        const model = scriptedModel(agents, [rome("1")], [says("done")]);
        const result = await inRequest(() => newRunner().run(newAgent(model, [weather()]), "q"));
        expect(result.finalOutput).toBe("done");
      } finally {
        agents.setTracingDisabled(false);
      }
      const { spans } = await exported({ passes: false });
      expect(spans.map(({ name }) => name)).toEqual(["POST /chat"]);
    });

    it("writes nothing, and throws nothing, without OpenTelemetry", async () => {
      trace.disable();
      agents.setTraceProcessors(bridge.processors() as never);
      const model = scriptedModel(agents, [rome("1")], [says("done")]);
      const result = await asRun(() => newRunner().run(newAgent(model, [weather()]), "q"));
      expect(result.finalOutput).toBe("done");
      expect((await exported({ passes: false })).spans).toEqual([]);
      expect(tracker.size).toEqual({ live: 0, waiting: 0, hooked: 0 });
    });

    if (isLate) {
      it.each([1, 2, 4, 8])(
        "reaches the span when %i other trace processors make the bridge late",
        async (before) => {
          traceAgents(agents, bridge, before);
          // The tool waits for nothing: with this many, its span can start after it has ended.
          const tool = weather();
          const model = scriptedModel(agents, [rome("1"), rome("2")], [rome("3")], [says("done")]);
          await asRun(() => newRunner().run(newAgent(model, [tool]), "q"));
          const spans = (await exported()).tools("get_weather");
          expectOwnResults(spans);
          expect(stepsOf(spans).sort()).toEqual([0, 1, 2]);
        },
      );
    }
  });
}
