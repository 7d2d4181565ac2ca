import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { canonicalFp } from "../../../src/index.ts";
import { ToolSpanTracker, withHandoff } from "../../../src/tracker/index.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import { useContextManager } from "../../support/tracing.ts";
import { inputSchema, modes, only, runAgent, tools } from "./agent.ts";
import { Application, isToolSpan, labelsOf } from "./request.ts";
import { call, scriptedModel } from "./scripted-model.ts";
import { sdk7ByTelemetry } from "./sdk-versions.ts";

useContextManager();

describe.each(modes)("a run of $title", ({ version, streaming, answer, shows }) => {
  it(
    "marks the delegated agent and counts its calls in the run that they belong to",
    shows("delegation"),
    async () => {
      const application = new Application([new ToolSpanTracker()]);
      const research = {
        inputSchema,
        execute: async ({ q }: { q: string }) => {
          const inner = await withHandoff(() =>
            runAgent(version, application, {
              streaming,
              // The inner model numbers its calls as the outer one does.
              script: [[call("call_1", "search", { q })], [call("inner_2", "search", { q })], "done"],
              tools: { search: tools.search },
              definitions: only("search"),
            }),
          );
          return inner.finishReason;
        },
      };
      await answer(application, {
        script: [[call("call_1", "research")], [call("call_2", "research", { q: "again" })], "done"],
        tools: { research },
      });
      const spans = application.spans();
      const steps = spans
        .filter(isToolSpan)
        .map(labelsOf)
        .sort((a, b) => Number(a.step_index) - Number(b.step_index));
      expect(steps.map(({ step_index, attempt }) => [step_index, attempt])).toEqual([
        [0, 1],
        [1, 1],
        [2, 2],
        [3, 1],
        [4, 1],
        [5, 2],
      ]);
      expect(new Set(steps.map(({ run_id }) => run_id)).size).toBe(1);
      // The two delegated agents, each with an id of its own, and nothing else.
      const toolIds = new Set(spans.filter(isToolSpan).map(({ spanId }) => spanId));
      const delegated = spans.filter(({ attributes }) => attributes["trustabl.handoff_id"] !== undefined);
      expect(delegated.map(({ parentSpanId }) => toolIds.has(parentSpanId ?? ""))).toEqual([true, true]);
      expect(new Set(delegated.map(({ attributes }) => attributes["trustabl.handoff_id"])).size).toBe(2);
      for (const span of delegated) expect(labelsOf(span)).toEqual({ handoff_id: expect.any(String) });
      application.expectVerified();
    },
  );

  it("writes nothing for the calls of a delegated agent whose telemetry is off, and keeps counting", async () => {
    const application = new Application();
    const research = {
      inputSchema,
      execute: async () => {
        const off = { telemetry: { isEnabled: false }, experimental_telemetry: { isEnabled: false } };
        // The outer tool's span is the active one in the inner tool, and the inner model gives the same id.
        const script = [[call("call_1", "search")], [call("inner_2", "search")], "done"];
        return (
          await runAgent(version, application, { streaming, script, tools: { search: tools.search }, ...off })
        ).finishReason;
      },
    };
    await answer(application, {
      script: [[call("call_1", "research")], [call("call_2", "search")], "done"],
      tools: { research, search: tools.search },
      definitions: { research: { sideEffect: "pure" } },
    });
    expect(application.labelsByCall()).toMatchObject({
      call_1: { step_index: 0, attempt: 1, side_effect: "pure", output_fp: canonicalFp("stop") },
      call_2: { step_index: sdk7ByTelemetry === version ? 1 : 3 },
    });
  });

  it("labels the calls of an agent object as well", async () => {
    const application = new Application();
    const Agent = version.sdk.ToolLoopAgent ?? version.sdk.Experimental_Agent;
    const agent = new Agent({
      model: scriptedModel(version, [[call("call_1", "search")], "done"]),
      tools: version.label({ search: tools.search }, only("search")),
      ...version.telemetry(application.provider, only("search")),
    });
    await application.request(async () => {
      if (!streaming) return await agent.generate({ prompt: "go" });
      const stream = await agent.stream({ prompt: "go" });
      await stream.consumeStream();
      return { finishReason: await stream.finishReason, steps: await stream.steps };
    });
    expect(application.labelsByCall()).toMatchObject({
      call_1: { attempt: 1, step_index: 0, side_effect: "read", output_fp: canonicalFp(["same found"]) },
    });
    application.expectVerified();
  });

  it(
    "keeps two runs at the same time apart, whose models number their calls alike",
    shows("two-runs"),
    async () => {
      const application = new Application();
      const set = { wait: { inputSchema, execute: async ({ q }: { q: string }) => sleep(5, q) } };
      const run = (q: string) =>
        answer(application, {
          script: [[call("call_1", "wait", { q })], [call("call_2", "wait", { q })], "done"],
          tools: set,
        });
      await Promise.all([run("a"), run("b")]);
      const byRun = Map.groupBy(application.spans().filter(isToolSpan), ({ traceId }) => traceId);
      expect(byRun.size).toBe(2);
      for (const spans of byRun.values()) {
        const labels = spans.map(labelsOf);
        expect(labels.map(({ attempt, step_index }) => [attempt, step_index])).toEqual([
          [1, 0],
          [2, 1],
        ]);
        expect(new Set(labels.map(({ run_id }) => run_id)).size).toBe(1);
      }
      expect(application.expectVerified().examined).toMatchObject({ runs: 2 });
    },
  );

  it("says that the step cap ended a run that still wanted tools", async () => {
    const application = new Application();
    await answer(application, {
      script: [[call("call_1", "search")], [call("call_2", "search")], "never"],
      tools: { search: tools.search },
      maxSteps: 2,
    });
    const root = application.spans().find(({ name }) => name === "invoke_agent helper");
    expect(root?.attributes["trustabl.exit_reason"]).toBe("max_steps");
    application.expectVerified();
  });

  it("writes nothing and throws nothing with telemetry off", shows("telemetry-off"), async () => {
    const application = new Application();
    const messages = hearDiagnostics();
    const result = await answer(application, {
      script: [[call("call_1", "search")], "done"],
      tools: { search: tools.search },
      telemetry: { isEnabled: false },
      experimental_telemetry: { isEnabled: false },
    });
    expect(result.steps[0].toolResults[0].output).toEqual(["same found"]);
    expect(application.spans().filter(isToolSpan)).toEqual([]);
    expect(application.labelsByCall()).toEqual({});
    // Nothing is lost silently; the telemetry integration is off itself.
    expect(ownMessages(messages)).toHaveLength(version === sdk7ByTelemetry ? 0 : 1);
  });
});
