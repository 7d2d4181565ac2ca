/** What a recording has to do on every SDK. */
import { context, SpanStatusCode, type TracerProvider, trace } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { recordTraces, type SpanProcessorLike, TestingError } from "../../../src/testing/index.ts";
import { callTool, runAgent, searchFlights, searchOnce } from "./agent.ts";

/** An SDK, as the suite uses it. */
export interface RecordedSdk {
  readonly name: string;
  /** The module, for the `sdk` option. */
  readonly module: object;
  /** A provider of the application's. */
  newProvider(processors: readonly SpanProcessorLike[]): TracerProvider & { forceFlush(): Promise<void> };
  /** Whether a provider of this SDK takes processors once it is made. */
  readonly takesProcessorsLater: boolean;
}

const names = (spans: readonly { readonly name: string }[]) => spans.map((span) => span.name);
const ran = ["execute_tool search_flights", "invoke_agent helper"];

export function describeRecording(sdk: RecordedSdk): void {
  describe(`a recording on ${sdk.name}`, () => {
    it("records what the process does, and gives back finished spans", async () => {
      await using traces = recordTraces({ sdk: sdk.module });
      await searchOnce();
      expect(names(await traces.spans())).toEqual(ran);
      expect((await traces.root()).attributes["trustabl.exit_reason"]).toBe("final_answer");
      expect(names(await traces.toolSpans("search_flights"))).toEqual(["execute_tool search_flights"]);
      expect(await traces.toolSpans("other")).toEqual([]);
    });

    it("takes back what it registered, and nothing else", async () => {
      const traces = recordTraces({ sdk: sdk.module });
      await traces.close();
      await searchOnce();
      expect(await traces.spans()).toEqual([]);
      expect(context.with(context.active().setValue(Symbol("any"), 1), () => context.active())).toBe(
        context.active(),
      );
    });

    it("can be set up again and again, also for modules that keep their tracer", async () => {
      const kept = trace.getTracer("kept at the top of a module");
      for (let round = 0; round < 3; round += 1) {
        await using traces = recordTraces({ sdk: sdk.module });
        await searchOnce(kept);
        await searchOnce();
        expect(names(await traces.spans())).toEqual([...ran, ...ran]);
      }
    });

    it("keeps private recordings apart that run at the same time", async () => {
      const runs = ["JFK", "SFO", "LHR"].map(async (to) => {
        await using traces = recordTraces({ register: false, sdk: sdk.module });
        await searchOnce(traces.provider.getTracer("private"), to);
        await searchOnce(traces.provider.getTracer("private"), to);
        const spans = await traces.spans();
        return (
          new Set(spans.map((span) => span.attributes["trustabl.tool.input_fp"])).size + spans.length / 10
        );
      });
      // Two different values each: the fingerprint of this run's arguments, and none on the roots.
      expect(await Promise.all(runs)).toEqual([2.4, 2.4, 2.4]);
    });

    it("puts its processor into a provider of the application's", async () => {
      await using traces = recordTraces({ register: false });
      const provider = sdk.newProvider([traces.processor]);
      await using other = recordTraces({ register: false, sdk: sdk.module });
      expect(other.provider).toBeDefined();
      await searchOnce(provider.getTracer("application"));
      expect(names(await traces.spans())).toEqual(ran);
      expect(await other.spans()).toEqual([]);
    });

    it("adds itself to a provider that takes processors later, and says what to do with one that does not", async () => {
      const provider = sdk.newProvider([]);
      await using contextManager = recordTraces({ register: false, sdk: sdk.module });
      expect(contextManager.provider).toBeDefined();
      if (!sdk.takesProcessorsLater) {
        expect(() => recordTraces({ provider })).toThrow(
          expect.objectContaining({
            code: "provider_fixed",
            message: expect.stringContaining("traces.processor"),
          }),
        );
        return;
      }
      const traces = recordTraces({ provider });
      await searchOnce(provider.getTracer("application"));
      await traces.close();
      await searchOnce(provider.getTracer("application"));
      expect(names(await traces.spans())).toEqual(ran);
    });

    it("records every span, whatever sampler the environment asks for", async () => {
      process.env.OTEL_TRACES_SAMPLER = "always_off";
      try {
        await using traces = recordTraces({ register: false, sdk: sdk.module });
        await searchOnce(traces.provider.getTracer("private"));
        expect(names(await traces.spans())).toEqual(ran);
      } finally {
        delete process.env.OTEL_TRACES_SAMPLER;
      }
    });

    it("hands each span to the other processors first", async () => {
      const heard: string[] = [];
      const note = (kind: string) => (span: { readonly name: string }) =>
        void heard.push(`${kind} ${span.name}`);
      const processor = {
        onStart: note("start"),
        onEnd: note("end"),
        forceFlush: async () => void heard.push("flush"),
        shutdown: async () => void heard.push("shutdown"),
      };
      const traces = recordTraces({ sdk: sdk.module, spanProcessors: [processor] });
      await runAgent(async () => {});
      await traces.spans();
      await traces.close();
      await traces.close();
      expect(heard).toEqual(["start invoke_agent helper", "end invoke_agent helper", "flush", "shutdown"]);
    });

    it("reports spans that never ended, and waits a moment for those that end late", async () => {
      await using traces = recordTraces({ sdk: sdk.module, settleMilliseconds: 600_000 });
      const tracer = trace.getTracer("late");
      const attributes = { "gen_ai.operation.name": "invoke_agent" };
      const late = tracer.startSpan("invoke_agent late", { attributes });
      setTimeout(() => late.end(), 20);
      expect(names(await traces.spans())).toEqual(["invoke_agent late"]);

      await using hasty = recordTraces({ register: false, sdk: sdk.module, settleMilliseconds: 0 });
      hasty.provider.getTracer("late").startSpan("invoke_agent never", { attributes });
      expect(await hasty.spans()).toEqual([]);
      expect(names(hasty.unended())).toEqual(["invoke_agent never"]);
    });

    it("does not wait for spans that have nothing to do with labels", async () => {
      await using traces = recordTraces({ sdk: sdk.module, settleMilliseconds: 60_000 });
      trace.getTracer("server").startSpan("GET /");
      await searchOnce();
      expect(names(await traces.spans())).toEqual(ran);
      expect(names(traces.unended())).toEqual(["GET /"]);
    });

    it("forgets on clear(), also the spans that are open then", async () => {
      await using traces = recordTraces({ sdk: sdk.module });
      await runAgent(async (tracer) => {
        await callTool(tracer, "search_flights", () => searchFlights({ to: "JFK" }));
        traces.clear();
      });
      expect(await traces.spans()).toEqual([]);
      expect(traces.unended()).toEqual([]);
      await searchOnce();
      expect(names(await traces.spans())).toEqual(ran);
    });

    it("makes labels fail while an agent runs, without hurting the agent or its spans", async () => {
      await using traces = recordTraces({ sdk: sdk.module });
      const answer = await traces.whileLabelsFail(() => searchOnce());
      expect(answer).toEqual(["XY 12 to JFK"]);
      const [tool, root] = await traces.spans();
      expect(tool?.attributes).toEqual({
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "search_flights",
      });
      expect(Object.keys(root?.attributes ?? {})).not.toContain("trustabl.run_id");
      expect(traces.diagnostics.join("\n")).toContain("the span's setAttribute threw");
      await searchOnce();
      expect((await traces.spans()).at(-1)?.attributes["trustabl.exit_reason"]).toBe("final_answer");
    });

    it("makes labels fail, and nothing that the framework writes", async () => {
      await using traces = recordTraces({ sdk: sdk.module });
      await traces.whileLabelsFail(() =>
        runAgent(async (_tracer, root) => {
          root.setAttribute("app.one", 1).setAttributes({ "app.two": 2 }).addEvent("app.event", { three: 3 });
          root.setStatus({ code: SpanStatusCode.ERROR });
          expect(() => root.setAttributes({ "app.four": 4, "trustabl.run_id": "x" })).toThrow(/injected/);
          expect(() => root.addEvent("trustabl.policy.binding")).toThrow(/injected/);
        }),
      );
      const [root] = await traces.spans();
      expect(root?.attributes).toMatchObject({ "app.one": 1, "app.two": 2 });
      expect(root?.attributes).not.toHaveProperty("app.four");
      expect(root?.events.map(({ name }) => name)).toEqual(["app.event"]);
      expect(root?.status.code).toBe(SpanStatusCode.ERROR);
    });

    it("says so when no label was written while labels should have failed", async () => {
      await using traces = recordTraces({ sdk: sdk.module });
      await expect(traces.whileLabelsFail(async () => "nothing happens")).rejects.toThrow(
        expect.objectContaining({ code: "nothing_to_test" }),
      );
    });
  });

  describe(`registering on ${sdk.name}`, () => {
    it("refuses a second recording, which OpenTelemetry would ignore in silence", async () => {
      await using traces = recordTraces({ sdk: sdk.module });
      expect(() => recordTraces({ sdk: sdk.module })).toThrow(TestingError);
      expect(() => recordTraces({ sdk: sdk.module })).toThrow(
        expect.objectContaining({
          code: "already_recording",
          message: expect.stringContaining("await traces.close()"),
        }),
      );
      await searchOnce();
      expect(names(await traces.spans())).toEqual(ran);
    });

    it("refuses where another provider is registered, and leaves that one in place", async () => {
      const application = sdk.newProvider([]);
      trace.setGlobalTracerProvider(application);
      try {
        expect(() => recordTraces({ sdk: sdk.module })).toThrow(
          expect.objectContaining({
            code: "provider_taken",
            message: expect.stringContaining("traces.processor"),
          }),
        );
        const proxy = trace.getTracerProvider() as unknown as { getDelegate(): unknown };
        expect(proxy.getDelegate()).toBe(application);
      } finally {
        trace.disable();
      }
      await using traces = recordTraces({ sdk: sdk.module });
      await searchOnce();
      expect(names(await traces.spans())).toEqual(ran);
    });

    it("leaves a provider in place that somebody registered meanwhile", async () => {
      const traces = recordTraces({ sdk: sdk.module });
      trace.disable();
      const application = sdk.newProvider([]);
      trace.setGlobalTracerProvider(application);
      await traces.close();
      const proxy = trace.getTracerProvider() as unknown as { getDelegate(): unknown };
      expect(proxy.getDelegate()).toBe(application);
      trace.disable();
    });
  });
}
