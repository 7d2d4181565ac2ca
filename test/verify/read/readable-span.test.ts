import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { readSpan, readSpans, verify } from "../../../src/verify/index.ts";
import { sdksHere } from "../../support/sdks-here.ts";
import { RUN } from "../support/build.ts";

describe.each(sdksHere)("finished spans of $name", (sdk) => {
  const record = () => {
    const tracing = sdk.open();
    const root = tracing.tracer.startSpan("invoke_agent desk", {
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "trustabl.run_id": RUN,
        "trustabl.exit_reason": "final_answer",
      },
    });
    const below = trace.setSpan(context.active(), root);
    const tool = tracing.tracer.startSpan("execute_tool search", {}, below);
    tool.setAttributes({
      "gen_ai.operation.name": "execute_tool",
      "trustabl.run_id": RUN,
      "trustabl.step_index": 0,
      "trustabl.tool.attempt": 1,
      "trustabl.tool.input_fp": "44136fa355b3678a",
    });
    tool.addEvent("exception", { "exception.type": "Error" });
    tool.setStatus({ code: SpanStatusCode.ERROR, message: "no" });
    tool.end();
    root.end();
    return { tracing, root, tool };
  };

  it("are read with their parents, scope, times, status and events", () => {
    const { tracing, root, tool } = record();
    const [view] = readSpans(tracing.finished());
    expect(view).toMatchObject({
      traceId: tool.spanContext().traceId,
      spanId: tool.spanContext().spanId,
      parentSpanId: root.spanContext().spanId,
      name: "execute_tool search",
      scope: "test",
      status: "error",
      statusMessage: "no",
      events: [{ name: "exception", attributes: { "exception.type": "Error" } }],
      droppedAttributes: 0,
    });
    expect(view?.start).toBeGreaterThan(1_700_000_000_000_000_000n);
    expect(view?.end).toBeGreaterThanOrEqual(view?.start as bigint);
  });

  it("are verified", () => {
    const report = verify(record().tracing.finished() as never);
    expect(report).toMatchObject({ verdict: "pass", examined: { spans: 2, toolSpans: 1, runs: 1 } });
  });

  it("count what was dropped", () => {
    const tracing = sdk.open();
    const span = tracing.tracer.startSpan("x");
    for (let index = 0; index < 140; index += 1) {
      span.setAttribute(`a${index}`, index);
      span.addEvent(`e${index}`);
    }
    span.end();
    const [view] = readSpans(tracing.finished());
    expect(view).toMatchObject({ droppedAttributes: 12, droppedEvents: 12 });
  });
});

describe("spans of any shape", () => {
  const live = {
    name: "execute_tool x",
    spanContext: () => ({ traceId: "a".repeat(32), spanId: "b".repeat(16) }),
    startTime: [1_700_000_000, 5],
    endTime: [0, 0],
    ended: false,
    status: { code: 0 },
    attributes: { nothing: null, map: { a: [1] }, bytes: new Uint8Array([1]) },
    events: [{ name: "e" }],
  };

  it("are read: SDK 3.x has null, maps and bytes", () => {
    expect(readSpan(live)).toMatchObject({
      parentSpanId: undefined,
      start: 1_700_000_000_000_000_005n,
      end: undefined,
      attributes: { nothing: null, map: { a: [1] }, bytes: new Uint8Array([1]) },
      events: [{ name: "e", attributes: {} }],
    });
  });

  it.each([
    [
      "missing fields",
      { ...live, attributes: undefined, events: undefined, status: undefined, endTime: undefined },
    ],
    ["odd times", { ...live, startTime: [Number.NaN, 0], endTime: ["x", {}], ended: true }],
    ["fractions of nanoseconds", { ...live, startTime: [1, 0.5] }],
    ["an unknown status", { ...live, status: { code: 9 } }],
  ])("are read with %s", (_what, span) => {
    expect(readSpan(span)).toMatchObject({ name: "execute_tool x", status: "unset" });
  });

  it.each([
    [
      "getters that throw",
      {
        ...live,
        get attributes(): never {
          throw new Error("no");
        },
      },
    ],
    [
      "a context that throws",
      {
        ...live,
        spanContext: () => {
          throw new Error("no");
        },
      },
    ],
    ["an invalid context", { ...live, spanContext: () => ({ traceId: "0".repeat(32), spanId: "" }) }],
  ])("are no spans with %s", (_what, span) => {
    expect(readSpan(span)).toBeUndefined();
    expect([...readSpans([span, live])]).toHaveLength(1);
  });
});
