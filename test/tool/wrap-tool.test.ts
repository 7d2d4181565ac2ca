import { context, trace } from "@opentelemetry/api";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { canonicalFp, Run, withRun, wrapTool } from "../../src/index.ts";
import { hearDiagnostics, ownMessages } from "../support/diagnostics.ts";
import { sdk2 } from "../support/sdks-here.ts";
import { inSpan, labelsOf, toolSpanAttributes, useTracing } from "../support/tracing.ts";

const NULL_FP = "74234e98afe7498f";
const tracing = useTracing(sdk2);
let heard: string[];
beforeEach(() => {
  heard = hearDiagnostics();
});

/** Calls a tool as a framework does: in a tool span that is active, below a root span with a run. */
async function callInRun<Result>(name: string, call: () => Result): Promise<Awaited<Result>> {
  return inSpan(tracing.tracer, "invoke_agent helper", {}, (root) =>
    withRun(
      root,
      async () => await inSpan(tracing.tracer, `execute_tool ${name}`, toolSpanAttributes(name), call),
    ),
  );
}
const toolSpans = () => tracing.finished().filter((span) => span.name.startsWith("execute_tool"));
const labels = () => labelsOf(toolSpans()[0]);

describe("a wrapped tool", () => {
  it("labels a call of a sync function", async () => {
    const add = wrapTool(
      { name: "add", sideEffect: "pure" },
      (args: { a: number; b: number }) => args.a + args.b,
    );
    expect(await callInRun("add", () => add({ a: 1, b: 2 }))).toBe(3);
    expect(labels()).toEqual({
      "trustabl.run_id": expect.stringMatching(/^[0-9a-f]{16}$/),
      "trustabl.step_index": 0,
      "trustabl.tool.attempt": 1,
      "trustabl.tool.input_fp": canonicalFp({ a: 1, b: 2 }),
      "trustabl.tool.output_fp": canonicalFp(3),
      "trustabl.tool.side_effect": "pure",
    });
  });

  it("labels a call of an async function", async () => {
    const search = wrapTool({ name: "search" }, async (args: { q: string }) => [args.q]);
    expect(await callInRun("search", () => search({ q: "x" }))).toEqual(["x"]);
    expect(labels()["trustabl.tool.output_fp"]).toBe(canonicalFp(["x"]));
  });

  it("leaves out the side effect that the tool does not declare", async () => {
    const search = wrapTool({ name: "search" }, () => 1);
    await callInRun("search", () => search());
    expect(labels()).not.toHaveProperty("trustabl.tool.side_effect");
  });

  it("fingerprints what the model was sent: dates as text, undefined members left out", async () => {
    const search = wrapTool({ name: "search" }, () => ({ when: new Date(0), note: undefined }));
    await callInRun("search", () => search());
    expect(labels()["trustabl.tool.output_fp"]).toBe(canonicalFp({ when: "1970-01-01T00:00:00.000Z" }));
  });

  it("writes what is known at the start before the tool runs", async () => {
    let early: unknown;
    const search = wrapTool({ name: "search", sideEffect: "read" }, (_args: object) => {
      early = labelsOf(trace.getActiveSpan() as never);
    });
    await callInRun("search", () => search({}));
    expect(early).toEqual({
      "trustabl.run_id": expect.any(String),
      "trustabl.step_index": 0,
      "trustabl.tool.attempt": 1,
      "trustabl.tool.input_fp": canonicalFp({}),
      "trustabl.tool.side_effect": "read",
    });
  });

  it("fingerprints arguments as they were when the call started, whatever the tool does to them", async () => {
    const search = wrapTool({ name: "search" }, async (args: { q: string }) => {
      args.q = "changed";
      await Promise.resolve();
    });
    await callInRun("search", () => search({ q: "asked" }));
    expect(labels()["trustabl.tool.input_fp"]).toBe(canonicalFp({ q: "asked" }));
  });

  it("takes the arguments that the definition chooses", async () => {
    const route = wrapTool(
      { name: "route", args: (from, to) => ({ from, to }) },
      (from: string, to: string) => `${from}-${to}`,
    );
    await callInRun("route", () => route("SFO", "JFK"));
    expect(labels()["trustabl.tool.input_fp"]).toBe(canonicalFp({ from: "SFO", to: "JFK" }));
  });

  it("takes its own list of volatile keys", async () => {
    const page = wrapTool({ name: "page", volatileKeys: ["noise"] }, (_args: object) => null);
    await callInRun("page", () => page({ cursor: "a", noise: 1 }));
    expect(labels()["trustabl.tool.input_fp"]).toBe(canonicalFp({ cursor: "a" }, { volatileKeys: [] }));
  });

  it("counts the same call again, and starts again at 1 for other arguments and for another tool", async () => {
    const search = wrapTool({ name: "search" }, (_args: object) => []);
    const find = wrapTool({ name: "find" }, (_args: object) => []);
    await inSpan(tracing.tracer, "invoke_agent helper", {}, (root) =>
      withRun(root, async () => {
        const steps = [
          [search, "search", { q: "a" }],
          [search, "search", { q: "a" }],
          [find, "find", { q: "a" }],
          [search, "search", { q: "b" }],
          [search, "search", { q: "a" }],
        ] as const;
        for (const [tool, name, args] of steps) {
          await inSpan(tracing.tracer, `execute_tool ${name}`, toolSpanAttributes(name), () => tool(args));
        }
      }),
    );
    expect(toolSpans().map((span) => span.attributes["trustabl.tool.attempt"])).toEqual([1, 2, 1, 1, 3]);
    expect(toolSpans().map((span) => span.attributes["trustabl.step_index"])).toEqual([0, 1, 2, 3, 4]);
  });

  it("counts the same call again, whatever call ids the model gives it: an agent that is run again gives new ones", async () => {
    const charge = wrapTool(
      { name: "charge", sideEffect: "irreversible" },
      (_args: object, _options: object) => "charged",
    );
    await inSpan(tracing.tracer, "invoke_agent helper", {}, (root) =>
      withRun(root, async () => {
        for (const toolCallId of ["call_a", "call_b", "call_c"]) {
          await inSpan(tracing.tracer, "execute_tool charge", toolSpanAttributes("charge", toolCallId), () =>
            charge({ amount: 7 }, { toolCallId }),
          );
        }
      }),
    );
    expect(toolSpans().map((span) => span.attributes["trustabl.tool.attempt"])).toEqual([1, 2, 3]);
    expect(new Set(toolSpans().map((span) => span.attributes["trustabl.tool.input_fp"])).size).toBe(1);
  });

  it("counts by the tool alone where the arguments have no fingerprint", async () => {
    const search = wrapTool({ name: "search" }, (_args: unknown) => []);
    await inSpan(tracing.tracer, "invoke_agent helper", {}, (root) =>
      withRun(root, async () => {
        for (const args of [new Map(), new Set(), { q: 1 }]) {
          await inSpan(tracing.tracer, "execute_tool search", toolSpanAttributes("search"), () =>
            search(args),
          );
        }
      }),
    );
    expect(toolSpans().map((span) => span.attributes["trustabl.tool.attempt"])).toEqual([1, 2, 1]);
  });

  it("takes steps in the order in which calls start, not in which they end", async () => {
    const wait = wrapTool(
      { name: "wait" },
      (args: { ms: number }) => new Promise((done) => setTimeout(done, args.ms)),
    );
    await inSpan(tracing.tracer, "invoke_agent helper", {}, (root) =>
      withRun(root, () =>
        Promise.all(
          [20, 10, 1].map((ms) =>
            inSpan(tracing.tracer, `execute_tool wait`, toolSpanAttributes("wait"), () => wait({ ms })),
          ),
        ),
      ),
    );
    const byStep = toolSpans().map((span) => [
      span.attributes["trustabl.step_index"],
      span.attributes["trustabl.tool.input_fp"],
    ]);
    // On a busy machine the calls may end in any order.
    expect(byStep.sort()).toEqual([
      [0, canonicalFp({ ms: 20 })],
      [1, canonicalFp({ ms: 10 })],
      [2, canonicalFp({ ms: 1 })],
    ]);
  });

  it("keeps 100 parallel calls in 10 concurrent runs apart", async () => {
    const double = wrapTool({ name: "double" }, async (args: { n: number }) => {
      await new Promise((done) => setTimeout(done, (args.n * 7) % 13));
      return args.n * 2;
    });
    const ids: string[] = [];
    const oneRun = (run: number) =>
      inSpan(tracing.tracer, "invoke_agent helper", {}, (root) =>
        withRun(root, async ({ runId }) => {
          ids[run] = runId;
          await Promise.all(
            Array.from({ length: 10 }, (_, call) =>
              inSpan(
                tracing.tracer,
                "execute_tool double",
                { ...toolSpanAttributes("double"), run, n: run * 10 + call },
                () => double({ n: run * 10 + call }),
              ),
            ),
          );
        }),
      );
    await Promise.all(Array.from({ length: 10 }, (_, run) => oneRun(run)));
    expect(toolSpans()).toHaveLength(100);
    for (const { attributes } of toolSpans()) {
      const n = attributes.n as number;
      expect(attributes["trustabl.run_id"]).toBe(ids[attributes.run as number]);
      expect(attributes["trustabl.tool.input_fp"]).toBe(canonicalFp({ n }));
      expect(attributes["trustabl.tool.output_fp"]).toBe(canonicalFp(n * 2));
    }
    for (let run = 0; run < 10; run += 1) {
      const steps = toolSpans().filter((span) => span.attributes.run === run);
      expect(
        steps.map((span) => span.attributes["trustabl.step_index"] as number).toSorted((a, b) => a - b),
      ).toEqual(Array.from({ length: 10 }, (_, step) => step));
    }
  });
});

describe("a wrapped tool that fails", () => {
  const thrown: readonly (readonly [string, unknown])[] = [
    ["an error", new Error("boom")],
    ["a frozen object", Object.freeze({ status: 404 })],
    ["text", "boom"],
    ["undefined", undefined],
    ["a DOMException", new DOMException("late", "AbortError")],
    ["a revoked proxy", revoked()],
  ];
  // By name: the test runner looks into the values that it is given, and a revoked proxy cannot be looked into.
  const byName = new Map(thrown);
  it.each([...byName.keys()])("throws %s on as it was, and is labelled", async (name) => {
    const value = byName.get(name);
    const fail = wrapTool({ name: "fail" }, () => {
      throw value;
    });
    const caught = await callInRun("fail", () => capture(fail));
    expect(caught).toHaveProperty("same", true);
    expect(labels()["trustabl.tool.output_fp"]).toBe(NULL_FP);

    function capture(call: () => unknown) {
      try {
        call();
      } catch (error) {
        return { same: Object.is(error, value) };
      }
      return {};
    }
  });

  it.each([...byName.keys()])("rejects with %s as it was, and is labelled", async (name) => {
    const value = byName.get(name);
    const fail = wrapTool({ name: "fail" }, () => Promise.reject(value));
    const caught = await callInRun("fail", () =>
      fail().then(
        () => ({}),
        (error: unknown) => ({ same: Object.is(error, value) }),
      ),
    );
    expect(caught).toHaveProperty("same", true);
    expect(labels()["trustabl.tool.output_fp"]).toBe(NULL_FP);
  });

  it("gets its class from an HTTP status, and the span's status stays the framework's", async () => {
    const fail = wrapTool({ name: "fail" }, () =>
      Promise.reject(Object.assign(new Error("no"), { status: 503 })),
    );
    await callInRun("fail", () => fail().catch(() => {}));
    expect(labels()["trustabl.tool.error_class"]).toBe("5xx");
    expect(toolSpans()[0]?.status.code).toBe(0);
    expect(toolSpans()[0]?.events).toEqual([]);
  });

  it("gets its class from the definition, which outranks the facts", async () => {
    const fail = wrapTool({ name: "fail", errorClass: () => "timeout" }, () =>
      Promise.reject({ status: 503 }),
    );
    await callInRun("fail", () => fail().catch(() => {}));
    expect(labels()["trustabl.tool.error_class"]).toBe("timeout");
  });

  it("has no class when the definition says null", async () => {
    const fail = wrapTool({ name: "fail", errorClass: () => null }, () => Promise.reject({ status: 503 }));
    await callInRun("fail", () => fail().catch(() => {}));
    expect(labels()).not.toHaveProperty("trustabl.tool.error_class");
  });

  it("can be a returned failure: labelled with its class where the result has it, result untouched", async () => {
    const result = { isError: true, status: 401, content: [] };
    const call = wrapTool({ name: "call" }, async () => result);
    expect(await callInRun("call", () => call())).toBe(result);
    expect(labels()["trustabl.tool.error_class"]).toBe("auth");
    expect(labels()["trustabl.tool.output_fp"]).toBe(canonicalFp(result));
  });

  it("has no class for a returned failure that says no more", async () => {
    const call = wrapTool({ name: "call" }, () => ({
      isError: true,
      content: [{ type: "text", text: "404" }],
    }));
    await callInRun("call", () => call());
    expect(labels()).not.toHaveProperty("trustabl.tool.error_class");
  });

  it("is `empty` only where the definition says what empty is", async () => {
    const silent = wrapTool({ name: "silent" }, () => []);
    const spoken = wrapTool({ name: "spoken", isEmpty: (found) => found.length === 0 }, () => [] as string[]);
    await callInRun("silent", () => silent());
    await callInRun("spoken", () => spoken());
    expect(toolSpans().map((span) => span.attributes["trustabl.tool.error_class"])).toEqual([
      undefined,
      "empty",
    ]);
  });

  it("survives callbacks of the definition that throw or answer nonsense", async () => {
    const fault = () => {
      throw new Error("secret of the callback");
    };
    const tool = wrapTool(
      {
        name: "tool",
        args: fault,
        callId: fault,
        isEmpty: fault,
        errorClass: () => "nonsense" as "4xx",
        span: fault,
      },
      () => "fine",
    );
    expect(await callInRun("tool", () => tool())).toBe("fine");
    expect(labels()["trustabl.tool.output_fp"]).toBe(canonicalFp("fine"));
    expect(labels()).not.toHaveProperty("trustabl.tool.input_fp");
    expect(heard.join()).not.toContain("secret");
    expect(ownMessages(heard).length).toBeGreaterThan(0);
  });
});

describe("what a wrapped function keeps", () => {
  it("keeps this, name, arity, properties and being an async function", () => {
    class Desk {
      rate = 2;
      convert(amount: number, _currency: string) {
        return amount * this.rate;
      }
    }
    const desk = new Desk();
    const source = Object.assign(desk.convert, { schema: { type: "object" } });
    const convert = wrapTool({ name: "convert" }, source);
    expect(convert.call(desk, 21, "EUR")).toBe(42);
    expect([convert.name, convert.length, convert.schema]).toEqual(["convert", 2, { type: "object" }]);
    const wait = wrapTool({ name: "wait" }, async () => {});
    expect(Object.getPrototypeOf(wait)).toBe(Object.getPrototypeOf(async () => {}));
  });

  it("keeps parameters and results the very same objects", async () => {
    const args = { q: "x" };
    const result = { hits: [] };
    let got: unknown;
    const search = wrapTool({ name: "search" }, (given: object) => {
      got = given;
      return result;
    });
    expect(await callInRun("search", () => search(args))).toBe(result);
    expect(got).toBe(args);
  });

  it("passes straight through with tracing off", () => {
    const search = wrapTool({ name: "search" }, (args: object) => args);
    const args = new Map();
    expect(search(args)).toBe(args);
  });

  it("leaves an unhandled rejection unhandled", async () => {
    const seen = vi.fn();
    const others = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection");
    process.on("unhandledRejection", seen);
    try {
      const fail = wrapTool({ name: "fail" }, () => Promise.reject(new Error("nobody cares")));
      await callInRun("fail", () => {
        fail();
      });
      await new Promise((done) => setTimeout(done, 5));
      expect(seen).toHaveBeenCalledTimes(1);
    } finally {
      process.removeAllListeners("unhandledRejection");
      for (const other of others) process.on("unhandledRejection", other);
    }
  });
});

describe("which span is labelled", () => {
  const search = wrapTool(
    { name: "search", sideEffect: "read" },
    (_args: object, _options?: object) => "found",
  );

  it("is not the application's span that is active instead of the tool's; diag says so once", async () => {
    await inSpan(tracing.tracer, "HTTP POST /chat", { "http.request.method": "POST" }, (root) =>
      withRun(root, () => {
        search({});
        search({});
      }),
    );
    expect(labelsOf(tracing.finished()[0])).toEqual({
      "trustabl.run_id": expect.any(String),
      "trustabl.exit_reason": "final_answer",
    });
    expect(ownMessages(heard)).toEqual([
      expect.stringContaining('no tool span was found for a call of the tool "search"'),
    ]);
  });

  it("is not the outer tool's span that is still active while a nested agent works", async () => {
    await inSpan(tracing.tracer, "execute_tool search", toolSpanAttributes("search", "outer-1"), () =>
      search({}, { toolCallId: "inner-1" }),
    );
    expect(labels()).toEqual({});
  });

  it("is not another tool's span", async () => {
    await inSpan(tracing.tracer, "execute_tool other", toolSpanAttributes("other"), () => search({}));
    expect(labels()).toEqual({});
  });

  it("is not the outer tool's span that happens to have the nested call's id", async () => {
    for (const outer of ["ask_specialist", "research"]) {
      await inSpan(tracing.tracer, `execute_tool ${outer}`, toolSpanAttributes(outer, "call_1"), () =>
        search({}, { toolCallId: "call_1" }),
      );
    }
    for (const span of toolSpans()) expect(labelsOf(span)).toEqual({});
  });

  it("is the active span with the call's id that puts a server's name before the tool's", async () => {
    await inSpan(
      tracing.tracer,
      "execute_tool server__search",
      toolSpanAttributes("server__search", "call-1"),
      () => search({}, { toolCallId: "call-1" }),
    );
    expect(labels()["trustabl.tool.side_effect"]).toBe("read");
  });

  it("is a tool's span that shows no name", async () => {
    await inSpan(tracing.tracer, "some tool", { "openinference.span.kind": "TOOL" }, () => search({}));
    expect(labelsOf(tracing.finished()[0])["trustabl.tool.side_effect"]).toBe("read");
  });

  it("is the active span, whatever it is, for a user who knows better", async () => {
    const trusting = wrapTool({ name: "search", trustActiveSpan: true }, () => 1);
    await inSpan(tracing.tracer, "my own span", {}, () => trusting());
    expect(labelsOf(tracing.finished()[0])["trustabl.tool.output_fp"]).toBe(canonicalFp(1));
  });

  it("is the span that was given, or that a function finds", async () => {
    const given = tracing.tracer.startSpan("given");
    const asked: unknown[] = [];
    wrapTool({ name: "one", span: given }, () => 1)();
    wrapTool(
      {
        name: "two",
        span: (call) => {
          asked.push(call);
          return given;
        },
      },
      (_args: object, _options: object) => 1,
    )({ q: 1 }, { toolCallId: "id" });
    given.end();
    expect(labelsOf(tracing.finished()[0])["trustabl.tool.input_fp"]).toBe(canonicalFp({ q: 1 }));
    expect(asked).toEqual([{ name: "two", callId: "id", parameters: [{ q: 1 }, { toolCallId: "id" }] }]);
  });

  it("gets fingerprints but no run labels outside a run; diag says so once", async () => {
    for (let i = 0; i < 2; i += 1) {
      await inSpan(tracing.tracer, "execute_tool search", toolSpanAttributes("search"), () => search({}));
    }
    expect(Object.keys(labels()).toSorted()).toEqual([
      "trustabl.tool.input_fp",
      "trustabl.tool.output_fp",
      "trustabl.tool.side_effect",
    ]);
    expect(ownMessages(heard)).toEqual([expect.stringContaining("outside a run")]);
  });

  it("belongs to the run of the definition, where it names one", async () => {
    const run = new Run("by-hand");
    const tool = wrapTool({ name: "search", run }, () => 1);
    await inSpan(tracing.tracer, "execute_tool search", toolSpanAttributes("search"), () => tool());
    expect(labels()).toMatchObject({
      "trustabl.run_id": "by-hand",
      "trustabl.step_index": 0,
      "trustabl.tool.attempt": 1,
    });
  });

  it("gets no run id that has the wrong form, but everything else; diag says so", async () => {
    const tool = wrapTool({ name: "search", run: new Run("two\nlines") }, () => 1);
    await inSpan(tracing.tracer, "execute_tool search", toolSpanAttributes("search"), () => tool());
    expect(labels()).not.toHaveProperty("trustabl.run_id");
    expect(labels()).toMatchObject({ "trustabl.step_index": 0, "trustabl.tool.attempt": 1 });
    expect(ownMessages(heard)).toEqual([expect.stringContaining("trustabl.run_id was left out")]);
    expect(heard.join()).not.toContain("two");
  });

  it("counts a call that could not be labelled, so that the next one's numbers are right", async () => {
    await inSpan(tracing.tracer, "invoke_agent helper", {}, (root) =>
      withRun(root, async () => {
        search({});
        await inSpan(tracing.tracer, "execute_tool search", toolSpanAttributes("search"), () => search({}));
      }),
    );
    expect(labels()).toMatchObject({ "trustabl.step_index": 1, "trustabl.tool.attempt": 2 });
  });

  it("says nothing when the run is not sampled", () => {
    const unsampled = trace.wrapSpanContext({
      traceId: "1".repeat(32),
      spanId: "1".repeat(16),
      traceFlags: 0,
    });
    context.with(trace.setSpan(context.active(), unsampled), () => withRun(unsampled, () => search({})));
    expect(ownMessages(heard)).toEqual([]);
  });

  it("keeps the early labels of a span that ends while the tool still runs, and says what is lost", async () => {
    let finish = () => {};
    const slow = wrapTool(
      { name: "slow", sideEffect: "write" },
      () => new Promise<void>((done) => (finish = done)),
    );
    let running: Promise<void> | undefined;
    await inSpan(tracing.tracer, "execute_tool slow", toolSpanAttributes("slow"), () => {
      running = slow();
      return undefined;
    });
    finish();
    await running;
    expect(Object.keys(labels()).toSorted()).toEqual(["trustabl.tool.input_fp", "trustabl.tool.side_effect"]);
    expect(ownMessages(heard)).toContainEqual(expect.stringContaining("ended before the call did"));
  });
});

describe("a labelling fault", () => {
  it.each([
    "trustabl.run_id",
    "trustabl.step_index",
    "trustabl.tool.attempt",
    "trustabl.tool.input_fp",
    "trustabl.tool.side_effect",
    "trustabl.tool.output_fp",
    "trustabl.tool.error_class",
    "gen_ai.tool.name",
  ])("at the write of %s costs that label only, and never the tool", async (faulty) => {
    const written: string[] = [];
    const span = {
      isRecording: () => true,
      attributes: {},
      setAttribute: (key: string) => {
        if (key === faulty) throw new Error("fault");
        written.push(key);
      },
      addEvent: () => {},
    };
    const tool = wrapTool(
      { name: "tool", sideEffect: "write", span, run: new Run(), errorClass: () => "4xx" },
      async () => "fine",
    );
    expect(await tool()).toBe("fine");
    expect(written).toHaveLength(7);
    expect(written).not.toContain(faulty);
  });

  it("in isRecording, at any time, never reaches the tool", async () => {
    for (let faultAt = 0; faultAt < 4; faultAt += 1) {
      let asked = 0;
      const span = {
        isRecording: () => {
          if (asked++ >= faultAt) throw new Error("fault");
          return true;
        },
        setAttribute: () => {},
        addEvent: () => {},
      };
      expect(await wrapTool({ name: "tool", span }, async () => "fine")()).toBe("fine");
    }
  });
});

describe("a wrong definition throws where it is made", () => {
  const tool = () => {};
  it.each([
    ["no definition", undefined],
    ["no name", {}],
    ["an empty name", { name: "" }],
    ["an unknown side effect", { name: "t", sideEffect: "writes" }],
    ["an errorClass that is no function", { name: "t", errorClass: "4xx" }],
    ["an isEmpty that is no function", { name: "t", isEmpty: true }],
    ["args that are no function", { name: "t", args: {} }],
    ["a callId that is no function", { name: "t", callId: "c" }],
    ["a span that is none", { name: "t", span: {} }],
    ["a run that is none", { name: "t", run: "run" }],
    ["a trustActiveSpan that is no boolean", { name: "t", trustActiveSpan: 1 }],
  ])("%s", (_name, definition) => {
    expect(() => wrapTool(definition as never, tool)).toThrow(/expected|definition/);
  });

  it("something that is no function", () => {
    expect(() => wrapTool({ name: "t" }, {} as never)).toThrow(TypeError);
  });

  it("and later changes to a right one have no effect", async () => {
    const definition: { name: string; sideEffect: "read" | "write" } = { name: "search", sideEffect: "read" };
    const search = wrapTool(definition, () => 1);
    definition.sideEffect = "write";
    await callInRun("search", () => search());
    expect(labels()["trustabl.tool.side_effect"]).toBe("read");
  });
});

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
