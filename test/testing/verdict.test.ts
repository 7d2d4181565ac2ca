import { type Span, trace } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import * as sdk1 from "otel-sdk-1";
import { describe, expect, it } from "vitest";
import { assertVerified, recordTraces, TraceAssertionError } from "../../src/testing/index.ts";
import { callTool, runAgent, searchFlights, searchOnce } from "./support/agent.ts";

/** What `assertVerified` says about a recording. */
async function complaintOf(record: () => Promise<unknown>): Promise<TraceAssertionError> {
  await using traces = recordTraces({ settleMilliseconds: 0 });
  await record();
  const error: unknown = await traces.assertVerified().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(TraceAssertionError);
  return error as TraceAssertionError;
}

describe("the verdict on a recording", () => {
  it("is a pass where everything is labelled", async () => {
    await using traces = recordTraces();
    await searchOnce();
    expect((await traces.verify()).verdict).toBe("pass");
    const report = await traces.assertVerified();
    expect(report.examined).toMatchObject({ spans: 2, toolSpans: 1, runs: 1 });
  });

  it("is a failure whose message is the report, without colours", async () => {
    const error = await complaintOf(() =>
      runAgent(async (tracer) => {
        await callTool(tracer, "search_flights", () => searchFlights({ to: "JFK" }));
        await callTool(tracer, "book_flight", async () => "not wrapped");
      }),
    );
    expect(error.code).toBe("not_verified");
    expect(error.message).toMatch(/^The recorded spans do not pass verification\.\n\n/);
    expect(error.message).toMatch(/✗ tool-span-labelled/);
    expect(error.message).toContain("execute_tool book_flight");
    expect(error.message).not.toContain("\u001b");
    expect(error.message).not.toContain("JFK");
  });

  it("is no pass where nothing was recorded, or nothing of an agent", async () => {
    expect((await complaintOf(async () => {})).message).toContain("nothing to check");
    const request = async () => trace.getTracer("server").startSpan("GET /").end();
    expect((await complaintOf(request)).message).toContain("nothing to check");
  });

  it("is a failure where an agent or tool span never ended, since no exporter ever sees it", async () => {
    const open: Span[] = [];
    const error = await complaintOf(async () => {
      await searchOnce();
      const attributes = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "book_flight" };
      open.push(trace.getTracer("test").startSpan("execute_tool\u001b[31m book_flight", { attributes }));
      open.push(trace.getTracer("test").startSpan("GET /"));
    });
    expect(error.message).toMatch(
      /Started and never ended.*:\n {2}execute_tool.*book_flight \(span [0-9a-f]{16}\)/s,
    );
    expect(error.message).not.toContain("GET /");
    expect(error.message).not.toContain("\u001b");
  });

  it("can be told to accept open spans", async () => {
    await using traces = recordTraces({ settleMilliseconds: 0 });
    await searchOnce();
    trace.getTracer("test").startSpan("invoke_agent other", {
      attributes: { "gen_ai.operation.name": "invoke_agent" },
    });
    await expect(traces.assertVerified()).rejects.toThrow(/never ended/);
    await traces.assertVerified({ allowUnended: true });
  });

  it("hands the verifier's options on", async () => {
    await using traces = recordTraces();
    await searchOnce();
    await expect(traces.assertVerified({ secrets: [" "] })).rejects.toThrow(
      expect.objectContaining({ code: "empty_secret" }),
    );
    const { checks } = await traces.verify({ only: ["run-end-marked"] });
    expect(checks.map(({ id }) => id)).toEqual(["run-end-marked"]);
  });

  it("is given on any finished spans, without a recording", async () => {
    await using contextManager = recordTraces({ register: false });
    expect(contextManager.provider).toBeDefined();

    const exporter = new InMemorySpanExporter();
    const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    await searchOnce(provider.getTracer("application"));
    expect(assertVerified(exporter.getFinishedSpans()).verdict).toBe("pass");
    exporter.reset();
    expect(() => assertVerified(exporter.getFinishedSpans())).toThrow(/nothing to check/);

    const older = new sdk1.InMemorySpanExporter();
    const spanProcessors = [new sdk1.SimpleSpanProcessor(older)];
    await searchOnce(new sdk1.BasicTracerProvider({ spanProcessors }).getTracer("application"));
    expect(assertVerified(older.getFinishedSpans()).verdict).toBe("pass");
  });
});
