/** Exports from which a filter, a limit or a crash took something away: what is there is judged, and what is not is told. */
import { context, type Span, trace } from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bindAuthority, withRun, wrapTool } from "../../src/index.ts";
import { type SpanView, verify } from "../../src/verify/index.ts";
import { binding } from "../support/label-suite.ts";
import { sdksHere } from "../support/sdks-here.ts";
import { type TestSdk, type TestTracing, toolSpanAttributes, useContextManager } from "../support/tracing.ts";
import { call, checksWith, findingsOf, judged, resultOf, root, UNLABELLED } from "./support/build.ts";

describe("tool spans whose parents a filter took away", () => {
  const orphans = [0, 1, 2].map((step) => call(`${step}`, { parent: `filtered ${step}`, step }));

  it("are one run by their run id, each judged, and never in silence", () => {
    const report = verify(orphans);
    expect(report.examined).toMatchObject({ toolSpans: 3, runs: 1 });
    expect(checksWith(report, "fail")).toEqual([]);
    expect(checksWith(report, "pass")).toEqual(
      expect.arrayContaining(["tool-span-labelled", "step-order", "attempt-count", "fingerprint-true"]),
    );
    expect(judged("run-end-marked", orphans)).toBe("unknown: no-root");
    expect(verify(orphans, { strict: true }).verdict).toBe("fail");
  });

  it("fail one by one where one of them is wrong", () => {
    const [first, , last] = orphans as [SpanView, SpanView, SpanView];
    const unlabelled = call("1", { parent: "filtered 1", attributes: UNLABELLED });
    expect(findingsOf("tool-span-labelled", [first, unlabelled, last])).toEqual([
      expect.objectContaining({
        outcome: "fail",
        span: expect.objectContaining({ spanId: unlabelled.spanId }),
      }),
    ]);
    expect(judged("step-order", [first, call("1", { parent: "filtered 1", step: 0 }), last])).toMatch(
      /^fail/,
    );
  });
});

describe("a run each of whose spans is a trace of its own", () => {
  const apart = (id: string, parts: object = {}) =>
    call(id, { trace: id.repeat(32), parent: undefined as never, ...parts });
  const spans = [root(), apart("1", { step: 0 }), apart("2", { step: 1 }), apart("3", { step: 2 })];

  it("is one run with its root, its steps in order", () => {
    const report = verify(spans);
    expect(report.examined).toMatchObject({ runs: 1, toolSpans: 3 });
    expect(checksWith(report, "fail")).toEqual([]);
    expect(resultOf(report, "run-end-marked").outcome).toBe("pass");
    expect(resultOf(report, "step-order").outcome).toBe("pass");
    expect(judged("step-order", [...spans.slice(0, 3), apart("3", { step: 1 })])).toMatch(/^fail/);
  });

  it("shows the span that lost its run id", () => {
    const lost = apart("2", { step: 1, attributes: { "trustabl.run_id": undefined } });
    const report = verify(spans.map((span) => (span.spanId === lost.spanId ? lost : span)));
    expect(resultOf(report, "run-identity").findings).toEqual([
      expect.objectContaining({ outcome: "fail", span: expect.objectContaining({ spanId: lost.spanId }) }),
    ]);
  });
});

describe.each(sdksHere)("a span of $name that is full", (sdk: TestSdk) => {
  useContextManager();
  let tracing: TestTracing;
  beforeEach(() => {
    tracing = sdk.open();
  });
  afterEach(() => tracing.close());

  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`app.attribute_${index}`, index]));
  /** Runs one call of a tool; `attributes` are on its span before the labels, `later` is written while the tool runs. */
  const run = async (attributes: object, later: object, inRoot: (span: Span) => void = () => {}) => {
    const start = (name: string, values: object) =>
      tracing.tracer.startSpan(name, { attributes: values as never }, context.active());
    const agent = start("invoke_agent helper", { "gen_ai.operation.name": "invoke_agent" });
    const within = <Result>(span: Span, fn: () => Result) =>
      context.with(trace.setSpan(context.active(), span), fn);
    const search = wrapTool({ name: "search", sideEffect: "read" }, async (_args: object) => {
      trace.getActiveSpan()?.setAttributes(later as never);
      return "found";
    });
    await within(agent, () =>
      withRun(agent, async () => {
        const span = start("execute_tool search", { ...toolSpanAttributes("search"), ...attributes });
        await within(span, () => search({ q: "x" }));
        span.end();
        inRoot(agent);
      }),
    );
    agent.end();
    return verify(tracing.finished() as never);
  };

  it("keeps the labels of the start where others fill it while the tool runs, and the loss is told", async () => {
    const report = await run({}, many(200));
    const [span] = tracing.finished();
    expect(Object.keys(span?.attributes ?? {}).filter((name) => name.startsWith("trustabl."))).toEqual([
      "trustabl.run_id",
      "trustabl.step_index",
      "trustabl.tool.attempt",
      "trustabl.tool.input_fp",
      "trustabl.tool.side_effect",
    ]);
    expect(resultOf(report, "tool-span-labelled").outcome).toBe("pass");
    expect(report.verdict).toBe("pass");
  });

  it("has no labels where it was full before, and the limit is named as the cause rather than the writer", async () => {
    const report = await run(many(200), {});
    expect(resultOf(report, "tool-span-labelled")).toMatchObject({
      outcome: "unknown",
      findings: [{ reason: "attributes-dropped" }],
    });
    expect(checksWith(report, "fail")).toEqual([]);
  });

  it("loses its oldest events first, which are the policies, and the loss is told", async () => {
    const report = await run({}, {}, (agent) => {
      bindAuthority(agent, [binding]);
      for (let index = 0; index < 131; index += 1) agent.addEvent(`event ${index}`);
    });
    expect(
      tracing
        .finished()
        .at(-1)
        ?.events.map(({ name }) => name),
    ).not.toContain("trustabl.policy.binding");
    expect(resultOf(report, "policy-binding-valid")).toMatchObject({
      outcome: "unknown",
      findings: [{ reason: "events-dropped" }],
    });
  });
});
