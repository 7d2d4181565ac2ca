import { trace } from "@opentelemetry/api";
import { describe, expect, expectTypeOf, it } from "vitest";
import { withRun, wrapTool } from "../../../src/index.ts";
import { type ExpectedLabels, recordTraces } from "../../../src/testing/index.ts";
import { verify } from "../../../src/verify/index.ts";
import { callTool, runAgent, searchOnce } from "../support/agent.ts";
import "../../../src/testing/vitest.ts";

/** The message of an assertion that fails. */
async function messageOf(assertion: () => unknown): Promise<string> {
  try {
    await assertion();
  } catch (error) {
    return (error as Error).message;
  }
  return expect.fail("the assertion passed");
}

const failing = wrapTool({ name: "get_fare", sideEffect: "read" }, async () => {
  throw Object.assign(new Error("down"), { status: 503 });
});

/** One run: a search, and a call that fails twice. */
const searchAndFail = () =>
  runAgent(async (tracer) => {
    await searchOnceIn(tracer);
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await callTool(tracer, "get_fare", failing).catch(() => {});
    }
  });
const searchOnceIn = (tracer: Parameters<typeof callTool>[0]) =>
  callTool(
    tracer,
    "search_flights",
    wrapTool({ name: "search_flights" }, async () => []),
  );

describe("toPassVerification", () => {
  it("takes a recording, spans, and a report", async () => {
    await using traces = recordTraces();
    await searchOnce();
    const spans = await traces.spans();
    await expect(traces).toPassVerification();
    expect(spans).toPassVerification({ strict: true, only: ["tool-span-labelled"] });
    expect(new Set(spans)).toPassVerification();
    expect(verify(spans)).toPassVerification();
  });

  it("fails with the report as its message", async () => {
    await using traces = recordTraces();
    await callTool(trace.getTracer("test"), "book_flight", async () => "not wrapped");
    await searchOnce();
    const spans = await traces.spans();
    for (const received of [traces, spans, verify(spans)]) {
      const message = await messageOf(() => expect(received).toPassVerification());
      expect(message).toMatch(/^expected verification to pass\n\n/);
      expect(message).toMatch(/✗ tool-span-labelled/);
    }
    await expect(traces).not.toPassVerification();
    expect(spans).not.toPassVerification();
  });

  it("fails on spans that never ended", async () => {
    await using traces = recordTraces({ settleMilliseconds: 0 });
    await searchOnce();
    trace.getTracer("test").startSpan("invoke_agent stuck", {
      attributes: { "gen_ai.operation.name": "invoke_agent" },
    });
    expect(await messageOf(() => expect(traces).toPassVerification())).toContain("invoke_agent stuck (span ");
    await expect(traces).toPassVerification({ allowUnended: true });
    await expect(traces).not.toPassVerification();
  });

  it("takes nothing to check neither for good nor for bad", async () => {
    expect(await messageOf(() => expect([]).toPassVerification())).toContain("nothing to check");
    expect(await messageOf(() => expect([]).not.toPassVerification())).toContain("nothing to check");
    expect(await messageOf(() => expect(verify([])).not.toPassVerification())).toMatch(
      /^expected verification to find something wrong/,
    );
  });
});

describe("toHaveToolSpan", () => {
  it("finds a tool's span by name, and by labels", async () => {
    await using traces = recordTraces();
    await searchAndFail();
    await expect(traces).toHaveToolSpan("search_flights");
    await expect(traces).toHaveToolSpan("get_fare", {
      "trustabl.tool.attempt": 2,
      "trustabl.tool.error_class": "5xx",
      "trustabl.run_id": expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(await traces.spans()).toHaveToolSpan("search_flights", { "trustabl.tool.side_effect": undefined });
    await expect(traces).not.toHaveToolSpan("book_flight");
    await expect(traces).not.toHaveToolSpan("get_fare", { "trustabl.tool.attempt": 3 });
  });

  it("shows what each span of the tool has instead", async () => {
    await using traces = recordTraces();
    await searchAndFail();
    const message = await messageOf(() =>
      expect(traces).toHaveToolSpan("get_fare", {
        "trustabl.tool.attempt": 3,
        "trustabl.tool.error_class": "5xx",
        "trustabl.handoff_id": "h1",
        "trustabl.tool.side_effect": undefined,
      }),
    );
    expect(message.replaceAll(/span [0-9a-f]{16}/g, "span <id>")).toBe(
      [
        'expected a span of the tool "get_fare" with trustabl.tool.attempt 3, trustabl.tool.error_class "5xx", trustabl.handoff_id "h1", trustabl.tool.side_effect not there',
        "  execute_tool get_fare (span <id>)",
        "    trustabl.tool.attempt: 1, expected 3",
        '    trustabl.handoff_id: not there, expected "h1"',
        '    trustabl.tool.side_effect: "read", expected not there',
        "  execute_tool get_fare (span <id>)",
        "    trustabl.tool.attempt: 2, expected 3",
        '    trustabl.handoff_id: not there, expected "h1"',
        '    trustabl.tool.side_effect: "read", expected not there',
      ].join("\n"),
    );
  });

  it("shows which tools there are instead, and whether there are any", async () => {
    await using traces = recordTraces();
    expect(await messageOf(() => expect(traces).toHaveToolSpan("book_flight"))).toBe(
      'expected a span of the tool "book_flight"\nfound no tool\'s span among the 0 finished spans',
    );
    await searchAndFail();
    expect(await messageOf(() => expect(traces).toHaveToolSpan("book_flight"))).toBe(
      'expected a span of the tool "book_flight"\nfound spans of these tools:\n  search_flights\n  get_fare',
    );
    expect(await messageOf(() => expect(traces).not.toHaveToolSpan("search_flights"))).toMatch(
      /^expected no span of the tool "search_flights"\nfound execute_tool search_flights \(span [0-9a-f]{16}\)$/,
    );
  });

  it("shows no value that has not the form of its label", async () => {
    await using traces = recordTraces();
    await callTool(trace.getTracer("test"), "search_flights", async () => {
      trace.getActiveSpan()?.setAttribute("trustabl.tool.input_fp", "the passenger's name");
    });
    const message = await messageOf(() =>
      expect(traces).toHaveToolSpan("search_flights", { "trustabl.tool.input_fp": "c1baebf63d8d7587" }),
    );
    expect(message).toContain("(a value of the wrong form)");
    expect(message).not.toContain("passenger");
  });
});

describe("toHaveRunEnd", () => {
  const endWith = (reason: "max_steps" | "final_answer") =>
    trace.getTracer("test").startActiveSpan("invoke_agent one", async (root) => {
      withRun(root, (run) => (reason === "max_steps" ? run.stop(reason) : undefined));
      root.end();
    });

  it("is about every run", async () => {
    await using traces = recordTraces();
    await endWith("max_steps");
    await expect(traces).toHaveRunEnd("max_steps");
    await expect(traces).not.toHaveRunEnd("final_answer");
    await endWith("final_answer");
    const message = await messageOf(() => expect(traces).toHaveRunEnd("max_steps"));
    expect(message.replaceAll(/span [0-9a-f]{16}/g, "span <id>")).toBe(
      [
        'expected each run to end with "max_steps"',
        "found",
        "  invoke_agent one (span <id>)",
        '    trustabl.exit_reason: "final_answer", expected "max_steps"',
      ].join("\n"),
    );
    expect(await messageOf(() => expect(traces).not.toHaveRunEnd("max_steps"))).toMatch(
      /^expected no run to end with "max_steps"\nfound\n {2}invoke_agent one \(span [0-9a-f]{16}\)$/,
    );
  });

  it("fails where there is no run at all", async () => {
    await using traces = recordTraces();
    expect(await messageOf(() => expect(traces).toHaveRunEnd("final_answer"))).toContain("withRun()");
    expect(await messageOf(() => expect([]).toHaveRunEnd("error"))).toContain("withRun()");
  });
});

describe("what matchers answer", () => {
  it("is a promise for a recording, and nothing for spans and reports, for the compiler too", async () => {
    await using traces = recordTraces();
    await searchOnce();
    const waited: Promise<void> = expect(traces).toPassVerification();
    await waited;
    const spans = await traces.spans();
    expectTypeOf(expect(spans).toPassVerification()).toBeVoid();
    expectTypeOf(expect(spans).toHaveRunEnd("final_answer")).toBeVoid();
    expectTypeOf(expect(spans).toHaveToolSpan).parameter(1).toEqualTypeOf<ExpectedLabels | undefined>();
    // @ts-expect-error: there is no such end
    expect(spans).not.toHaveRunEnd("done");
    // @ts-expect-error: there is no such label
    expect(spans).not.toHaveToolSpan("search_flights", { "trustabl.tool.attempts": 1 });
  });
});

describe("what matchers are given", () => {
  it("is refused when it is neither a recording nor spans, with what to give instead", async () => {
    await using traces = recordTraces();
    for (const received of [undefined, "spans", 1, {}, [1], [{}], () => {}]) {
      expect(await messageOf(() => expect(received).toHaveToolSpan("any"))).toMatch(/^expected a recording/);
      expect(await messageOf(() => expect(received).toPassVerification())).toMatch(/^expected a recording/);
      expect(await messageOf(() => expect(received).not.toHaveRunEnd("error"))).toMatch(
        /^expected a recording/,
      );
    }
    expect(await messageOf(() => expect(traces.spans()).toHaveToolSpan("any"))).toContain("await it first");
  });
});
