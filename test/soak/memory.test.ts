import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-node";
import { describe, expect, it } from "vitest";
import { withRun, wrapTool } from "../../src/index.ts";
import { ToolSpanTracker } from "../../src/tracker/index.ts";
import { toolSpanAttributes, useContextManager } from "../support/tracing.ts";

useContextManager();
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const heapMegabytes = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

describe("memory", () => {
  it("does not grow over 1,000,000 wrapped calls through the span tracker", {
    timeout: 120_000,
  }, async () => {
    const tracker = new ToolSpanTracker();
    const tracer = new BasicTracerProvider({ spanProcessors: [tracker] }).getTracer("test");
    const tool = wrapTool(
      { name: "tool", sideEffect: "read" },
      (args: { n: number }, _options: object) => args.n,
    );
    const calls = (from: number, count: number) => {
      // A run of 1,000 calls each, as runs end in real life.
      for (let run = from; run < from + count; run += 1_000) {
        const root = tracer.startSpan("invoke_agent");
        withRun(root, () => {
          for (let n = run; n < run + 1_000; n += 1) {
            const callId = `call-${n}`;
            // Every other span shows its call id; the tracker keeps those that do not apart.
            const span = tracer.startSpan("execute_tool tool", {
              attributes: toolSpanAttributes("tool", n % 2 === 0 ? callId : undefined),
            });
            tool({ n }, { toolCallId: callId });
            if (span.isRecording()) span.end();
          }
        });
        root.end();
      }
    };
    calls(0, 20_000);
    const before = heapMegabytes();
    calls(20_000, 1_000_000);
    expect(heapMegabytes() - before).toBeLessThan(5);
    expect(tracker.size).toEqual({ live: 0, waiting: 0 });
    await tracker.shutdown();
  });

  it("does not grow over 100,000 streams that nobody reads", async () => {
    const tool = wrapTool({ name: "tool", trustActiveSpan: true }, async function* () {
      yield 1;
    });
    const calls = (count: number) => {
      const span = new BasicTracerProvider().getTracer("test").startSpan("execute_tool tool");
      const stream = wrapTool({ name: "tool", span }, tool);
      for (let n = 0; n < count; n += 1) stream();
      span.end();
    };
    calls(1_000);
    const before = heapMegabytes();
    calls(100_000);
    expect(heapMegabytes() - before).toBeLessThan(5);
  });
});
