/**
 * What labelling costs: on a span that records (its start and end included, as no span is labelled without them), on one
 * that does not, and around a tool that is called outside tracing.
 *
 * @module
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { context, ROOT_CONTEXT, type Span, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { AlwaysOffSampler, NodeTracerProvider, type ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { markToolSpan, startRun, wrapTool } from "../src/index.ts";
import { ToolSpanTracker } from "../src/tracker/index.ts";
import { type Candidate, compare, type Effort, type Measured, QUICK, warmUp } from "./harness.ts";

interface Call {
  readonly args: object;
  readonly result: object;
}

const call: Call = {
  args: { from: "SFO", to: "JFK", date: "2026-10-01" },
  result: { flights: [{ flight: "XY 12", seats: 3 }], total: 1 },
};

const attributes = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "search" };

function onRecordingSpans(effort: Effort): readonly Measured[] {
  const tracer = new NodeTracerProvider().getTracer("bench");
  const startSpan = () => tracer.startSpan("execute_tool search", { attributes });
  const search = wrapTool({ name: "search", sideEffect: "read" }, (_args: object, result: object) => result);
  // A new run now and then, as in life: the attempts of one run fill a map.
  let calls = 0;
  let run = startRun(startSpan());
  const candidates: Candidate[] = [
    { name: "span alone", run: () => startSpan().end() },
    {
      name: "span and six raw setAttribute",
      run: () => {
        const span = startSpan();
        span.setAttribute("trustabl.run_id", "0123456789abcdef");
        span.setAttribute("trustabl.step_index", 1);
        span.setAttribute("trustabl.tool.attempt", 1);
        span.setAttribute("trustabl.tool.input_fp", "0123456789abcdef");
        span.setAttribute("trustabl.tool.output_fp", "0123456789abcdef");
        span.setAttribute("trustabl.tool.side_effect", "read");
        span.end();
      },
    },
    {
      name: "span and markToolSpan",
      run: (value) => {
        const { args, result } = value as Call;
        const span = startSpan();
        markToolSpan(span, {
          args,
          result,
          attempt: 1,
          stepIndex: 1,
          sideEffect: "read",
          runId: "0123456789abcdef",
        });
        span.end();
      },
    },
    {
      name: "span and a wrapped tool in a run",
      run: (value) => {
        const { args, result } = value as Call;
        if (calls++ % 1_000 === 0) run = startRun(startSpan());
        run.with(() => {
          const span = startSpan();
          context.with(trace.setSpan(context.active(), span), () => search(args, result));
          span.end();
        });
      },
    },
    {
      name: "span and the same tool, not wrapped, in a context",
      run: () => {
        run.with(() => {
          const span = startSpan();
          context.with(trace.setSpan(context.active(), span), () => call.result);
          span.end();
        });
      },
    },
  ];
  warmUp(candidates, [call], effort);
  return compare(candidates, "span and six raw setAttribute", call, effort);
}

function outsideTracing(effort: Effort): readonly Measured[] {
  const unsampled = new NodeTracerProvider({ sampler: new AlwaysOffSampler() })
    .getTracer("bench")
    .startSpan("x");
  const bare = (args: object) => args;
  const wrapped = wrapTool({ name: "search", sideEffect: "read" }, bare);
  const candidates: Candidate[] = [
    { name: "bare call", run: (value) => bare(value as object) },
    { name: "wrapTool outside tracing", run: (value) => wrapped(value as object) },
    {
      name: "markToolSpan on a span that does not record",
      run: (value) => markToolSpan(unsampled, value as { attempt: number }),
    },
  ];
  warmUp(candidates, [call], effort);
  return compare(candidates, "bare call", call, effort);
}

const rows = (measured: readonly Measured[], ratio: boolean) =>
  measured.map(
    ({ name, nanoseconds, ratio: times }) =>
      `| ${name} | ${nanoseconds < 1_000 ? `${nanoseconds.toFixed(0)} ns` : `${(nanoseconds / 1_000).toFixed(1)} µs`} | ${ratio ? times.toFixed(1) : "-"} |`,
  );

/** Calls whose span only the tracker knows, of one run after the other: what stays in memory, and what a call costs. */
async function throughTracker(calls: number): Promise<string> {
  const tracker = new ToolSpanTracker();
  const tracer = new NodeTracerProvider({ spanProcessors: [tracker] }).getTracer("bench");
  const search = wrapTool(
    { name: "search", sideEffect: "read" },
    (_args: object, _options: object) => call.result,
  );
  const make = (count: number) => {
    let run = startRun(undefined);
    let below = ROOT_CONTEXT;
    for (let made = 0; made < count; made += 1) {
      if (made % 1_000 === 0) {
        const root = tracer.startSpan("invoke_agent");
        below = trace.setSpan(ROOT_CONTEXT, root);
        run = startRun(root);
      }
      const toolCallId = `call_${made}`;
      const options = { attributes: { ...attributes, "gen_ai.tool.call.id": toolCallId } };
      const span = tracer.startSpan("execute_tool search", options, below) as Span & ReadableSpan;
      run.with(() => search({ ...call.args, made }, { toolCallId }));
      span.end();
      // A call that the tracker does not find costs less.
      if (span.attributes["trustabl.tool.output_fp"] === undefined)
        throw new Error("a call was not labelled");
    }
  };
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const heap = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  make(calls / 50);
  const before = heap();
  const start = performance.now();
  make(calls);
  const microseconds = ((performance.now() - start) * 1_000) / calls;
  const { live, waiting } = tracker.size;
  await tracker.shutdown();
  return (
    `${calls.toLocaleString("en")} calls through the span tracker, ${microseconds.toFixed(1)} µs each: ` +
    `the heap changes by ${(heap() - before).toFixed(1)} MB, and ${live + waiting} calls are remembered.`
  );
}

/** The table, as Markdown. */
export async function labelTable(effort: Effort): Promise<string> {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return [
    "| labelling | time | × raw attributes |",
    "| --- | --- | --- |",
    ...rows(onRecordingSpans(effort), true),
    ...rows(outsideTracing(effort), false),
    "",
    await throughTracker(effort === QUICK ? 50_000 : 1_000_000),
  ].join("\n");
}
