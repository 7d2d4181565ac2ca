/** The span tracker on one SDK. Run for SDK 1.30, 2.x and 3.x. */
import { context, type Span, trace } from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canonicalFp, withRun, wrapTool } from "../../src/index.ts";
import { toolSpanSources } from "../../src/tool/tool-span-source.ts";
import { ToolSpanTracker } from "../../src/tracker/index.ts";
import { hearDiagnostics, ownMessages } from "./diagnostics.ts";
import {
  labelsOf,
  type TestSdk,
  type TestTracing,
  toolSpanAttributes,
  useContextManager,
} from "./tracing.ts";

useContextManager();

export function describeTracker(sdk: TestSdk): void {
  describe(`the span tracker on ${sdk.name}`, () => {
    let tracker: ToolSpanTracker;
    let tracing: TestTracing;
    let heard: string[];
    beforeEach(() => {
      heard = hearDiagnostics();
      tracker = new ToolSpanTracker();
      tracing = sdk.open({ processors: [tracker] });
    });
    afterEach(() => tracing.close());

    const startTool = (name: string, callId?: string, parent?: Span) =>
      tracing.tracer.startSpan(
        `execute_tool ${name}`,
        { attributes: toolSpanAttributes(name, callId) },
        parent === undefined ? context.active() : trace.setSpan(context.active(), parent),
      );
    const search = wrapTool(
      { name: "search", sideEffect: "read" },
      async (args: object, _options: { toolCallId: string }) => args,
    );
    const named = (name: string) => tracing.finished().find((span) => span.name === name);

    it("leads labels to the span of the call, though another span is active", async () => {
      const request = tracing.tracer.startSpan("HTTP POST /chat");
      await context.with(trace.setSpan(context.active(), request), () =>
        withRun(request, async () => {
          const first = startTool("search", "call-1", request);
          const second = startTool("search", "call-2", request);
          await Promise.all([
            search({ n: 2 }, { toolCallId: "call-2" }),
            search({ n: 1 }, { toolCallId: "call-1" }),
          ]);
          first.end();
          second.end();
        }),
      );
      request.end();
      const fps = Object.fromEntries(
        tracing
          .finished()
          .map((span) => [
            span.attributes["gen_ai.tool.call.id"],
            span.attributes["trustabl.tool.output_fp"],
          ]),
      );
      expect(fps["call-1"]).toBe(canonicalFp({ n: 1 }));
      expect(fps["call-2"]).toBe(canonicalFp({ n: 2 }));
      expect(Object.keys(labelsOf(named("HTTP POST /chat"))).toSorted()).toEqual([
        "trustabl.exit_reason",
        "trustabl.run_id",
      ]);
      expect(ownMessages(heard)).toEqual([]);
    });

    it("finds a span that learns its call id after it has started", async () => {
      const span = tracing.tracer.startSpan("execute_tool search");
      span.setAttribute("gen_ai.operation.name", "execute_tool");
      span.setAttribute("gen_ai.tool.call.id", "late");
      await search({}, { toolCallId: "late" });
      span.end();
      expect(labelsOf(tracing.finished()[0])["trustabl.tool.side_effect"]).toBe("read");
    });

    it("keeps early labels for a span that starts while the call runs", async () => {
      let finish: (value: string) => void = () => {};
      const slow = wrapTool(
        { name: "slow", sideEffect: "write" },
        (_args: object, _options: object) => new Promise<string>((done) => (finish = done)),
      );
      const running = slow({ q: 1 }, { toolCallId: "call-9" });
      expect(tracker.size).toEqual({ live: 0, waiting: 1 });
      const span = startTool("slow", "call-9");
      expect(tracker.size).toEqual({ live: 1, waiting: 0 });
      finish("done");
      await running;
      span.end();
      expect(labelsOf(tracing.finished()[0])).toEqual({
        "trustabl.tool.input_fp": canonicalFp({ q: 1 }),
        "trustabl.tool.output_fp": canonicalFp("done"),
        "trustabl.tool.side_effect": "write",
      });
    });

    it("drops labels whose span never came when the call ends, and says so", async () => {
      await search({}, { toolCallId: "never" });
      const span = startTool("search", "never");
      span.end();
      expect(tracker.size).toEqual({ live: 0, waiting: 0 });
      expect(labelsOf(tracing.finished()[0])).toEqual({});
      expect(ownMessages(heard)).toEqual([expect.stringContaining("no tool span was found")]);
    });

    it("takes the outermost span where the spans of one call nest", async () => {
      const outer = startTool("search", "call-1");
      const inner = startTool("search", "call-1", outer);
      await search({}, { toolCallId: "call-1" });
      inner.end();
      outer.end();
      const [innerEnded, outerEnded] = tracing.finished();
      expect(labelsOf(innerEnded)).toEqual({});
      expect(labelsOf(outerEnded)["trustabl.tool.side_effect"]).toBe("read");
    });

    it("takes the active one of two calls with the same id, and none where that does not tell", async () => {
      const twins = [startTool("search", "twin"), startTool("search", "twin")] as const;
      const root = twins[0];
      await context.with(trace.setSpan(context.active(), twins[1]), () => search({}, { toolCallId: "twin" }));
      await search({}, { toolCallId: "twin" });
      for (const twin of twins) twin.end();
      const labelled = tracing.finished().filter((span) => Object.keys(labelsOf(span)).length > 0);
      expect(labelled.map((span) => span.spanContext().spanId)).toEqual([twins[1].spanContext().spanId]);
      expect(root.spanContext().spanId).not.toBe(twins[1].spanContext().spanId);
    });

    it("never leads a call to a live span of the same id in another trace", async () => {
      const other = startTool("search", "call_1");
      const request = tracing.tracer.startSpan("GET /");
      await context.with(trace.setSpan(context.active(), request), () =>
        search({}, { toolCallId: "call_1" }),
      );
      other.end();
      request.end();
      for (const span of tracing.finished()) expect(labelsOf(span)).toEqual({});
    });

    it("never leads a call to the span of another tool", async () => {
      const other = startTool("other", "call-1");
      await search({}, { toolCallId: "call-1" });
      other.end();
      expect(labelsOf(tracing.finished()[0])).toEqual({});
    });

    it("knows a live tool span by its span id", () => {
      const span = startTool("search");
      const { spanId } = span.spanContext();
      expect(tracker.findBySpanId(spanId)).toBe(span);
      span.end();
      expect(tracker.findBySpanId(spanId)).toBeUndefined();
    });

    it("forgets spans that end, and those that are no tool's at once", () => {
      for (let call = 0; call < 1_000; call += 1) {
        const span = startTool("search", `call-${call}`);
        tracing.tracer.startSpan("something else").end();
        expect(tracker.size.live).toBe(1);
        span.end();
      }
      expect(tracker.size).toEqual({ live: 0, waiting: 0 });
    });

    it("forgets the oldest of too many spans that never end, and says so", () => {
      const first = startTool("search", "first");
      for (let call = 0; call < 10_000; call += 1) startTool("search", `call-${call}`);
      expect(tracker.size.live).toBe(10_000);
      expect(tracker.findBySpanId(first.spanContext().spanId)).toBeUndefined();
      expect(ownMessages(heard)).toEqual([expect.stringContaining("do they ever end?")]);
    });

    it("writes nothing on a span that has ended, and so needs no onEnding", async () => {
      const span = startTool("search", "call-1");
      let finish = () => {};
      const slow = wrapTool(
        { name: "search" },
        (_args: object, _options: object) => new Promise<void>((done) => (finish = done)),
      );
      const running = slow({}, { toolCallId: "call-1" });
      span.end();
      const [ended] = tracing.finished();
      const atEnd = JSON.stringify(ended?.attributes);
      expect(atEnd).toContain("trustabl.tool.input_fp");
      // What exporters were given is not changed behind their back.
      const touched: unknown[] = [];
      const watched = new Proxy(ended as object, {
        set: (_target, property) => touched.push(property) > 0,
        defineProperty: (_target, property) => touched.push(property) > 0,
      });
      tracker.onEnd(watched as never);
      finish();
      await running;
      expect([JSON.stringify(ended?.attributes), touched]).toEqual([atEnd, []]);
      expect("onEnding" in tracker).toBe(false);
    });

    it("is asked no more after shutdown", async () => {
      const span = startTool("search", "call-1");
      await tracker.shutdown();
      await tracker.forceFlush();
      expect(toolSpanSources()).not.toContain(tracker);
      await search({}, { toolCallId: "call-1" });
      span.end();
      expect(labelsOf(tracing.finished()[0])).toEqual({});
    });

    it("never throws, whatever it is given", () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      const hostile = [
        undefined,
        null,
        {},
        proxy,
        { isRecording: () => true },
        {
          isRecording: () => true,
          name: "execute_tool x",
          spanContext: () => {
            throw new Error("no");
          },
        },
        {
          isRecording: () => true,
          name: {
            toString: () => {
              throw new Error("no");
            },
          },
        },
      ];
      for (const span of hostile) {
        expect(() => tracker.onStart(span as never)).not.toThrow();
        expect(() => tracker.onEnd(span as never)).not.toThrow();
      }
      expect(tracker.size.live).toBe(0);
    });
  });
}
