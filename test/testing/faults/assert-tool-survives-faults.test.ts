import { context, diag, trace } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { canonicalFp, currentRun, markToolSpan, wrapTool } from "../../../src/index.ts";
import { assertToolSurvivesFaults, recordTraces, TOOL_FAULTS } from "../../../src/testing/index.ts";

interface Query {
  readonly from: string;
  readonly to: string;
}
const parameters = [{ from: "SFO", to: "JFK" }];
const findFlights = async ({ from, to }: Query) => [`${from}-${to}`];
const failure = Object.assign(new Error("the airline is down"), { status: 503 });

/** The tools of an application, of every kind. */
const tools: Record<string, (query: Query) => unknown> = {
  async: findFlights,
  sync: ({ to }) => ({ to }),
  throwing: () => {
    throw failure;
  },
  rejecting: async () => {
    throw failure;
  },
  streaming: async function* ({ to }) {
    yield { progress: 1 };
    yield { to };
  },
  "failing in its stream": async function* () {
    yield { progress: 1 };
    throw failure;
  },
  echoing: async (query) => query,
  "reading all of its arguments": (query) => JSON.stringify(query),
  "giving other times and ids each time": async ({ to }) => ({
    to,
    request_id: Math.random(),
    ts: Math.random(),
  }),
};

describe("a wrapped tool under every fault", () => {
  it.each(Object.entries(tools))("survives when it is %s", async (_kind, tool) => {
    const wrapped = wrapTool({ name: "search_flights", sideEffect: "read" }, tool);
    await assertToolSurvivesFaults(wrapped, { bare: tool, parameters });
    await assertToolSurvivesFaults(wrapped, { parameters });
  });

  it("survives when its arguments are not an object, or made for each call", async () => {
    const double = wrapTool({ name: "double" }, async (value: unknown) => typeof value);
    await assertToolSurvivesFaults(double, { parameters: [21] });
    await assertToolSurvivesFaults(double, { parameters: [] });
    let made = 0;
    await assertToolSurvivesFaults(double, { parameters: () => [{ made: ++made }] });
    expect(made).toBeGreaterThan(2 * Object.keys(TOOL_FAULTS).length);
  });

  it("is called twice for each fault that was asked for, and twice without one", async () => {
    let calls = 0;
    const counted = wrapTool({ name: "counted" }, async () => {
      calls += 1;
    });
    await assertToolSurvivesFaults(counted, { parameters, faults: ["cyclic_argument"] });
    expect(calls).toBe(4);
  });

  it("leaves OpenTelemetry's globals as they were", async () => {
    await assertToolSurvivesFaults(wrapTool({ name: "search_flights" }, findFlights), { parameters });
    const probe = context.active().setValue(Symbol("probe"), true);
    expect(context.with(probe, () => context.active())).not.toBe(probe);
    await using traces = recordTraces();
    await assertToolSurvivesFaults(wrapTool({ name: "search_flights" }, findFlights), { parameters });
    expect(trace.getTracerProvider()).toHaveProperty("getDelegate");
    expect(context.with(probe, () => context.active())).toBe(probe);
    expect(await traces.spans()).toEqual([]);
  });

  it("cannot be tried when the tool is not wrapped", async () => {
    await expect(assertToolSurvivesFaults(findFlights, { parameters })).rejects.toThrow(
      expect.objectContaining({ code: "nothing_to_test" }),
    );
  });
});

/** Wrappers as people write them by hand. Each is wrong in a way of its own. */
type Wrap = (tool: (query: Query) => unknown) => (query: Query, options?: { toolCallId?: string }) => unknown;
const label = (name: string, value: string | number) => trace.getActiveSpan()?.setAttribute(name, value);
const mark = (args: unknown, result?: unknown) =>
  markToolSpan(trace.getActiveSpan(), { args, result, attempt: 1 });

const wrongWrappers: Record<
  string,
  { wrap: Wrap; tool?: ((query: Query) => unknown) | undefined; says: RegExp }
> = {
  "writes on the span without a guard": {
    wrap: (tool) => (query) => {
      trace.getActiveSpan()?.setAttribute("trustabl.tool.attempt", 1);
      return tool(query);
    },
    says: /set_attribute_throws: the injected error came out/,
  },
  "copies the arguments as JSON": {
    wrap: (tool) => (query) => {
      mark(query);
      return tool(JSON.parse(JSON.stringify(query)) as Query);
    },
    says: /cyclic_argument: it threw \(TypeError\) where the tool itself resolved/,
  },
  "copies the arguments by structure": {
    wrap: (tool) => async (query) => {
      mark(query);
      return tool(structuredClone(query));
    },
    says: /throwing_getter_argument: it rejected where the tool itself resolved/,
  },
  "throws an error of its own": {
    wrap: (tool) => async (query) => {
      mark(query);
      try {
        return await tool(query);
      } catch (error) {
        throw new Error("tool failed", { cause: error });
      }
    },
    tool: tools.rejecting,
    says: /without any fault: it rejected with another value than the tool itself/,
  },
  "swallows the error": {
    wrap: (tool) => async (query) => {
      mark(query);
      return await Promise.resolve(tool(query)).catch(() => null);
    },
    tool: tools.rejecting,
    says: /without any fault: it resolved where the tool itself rejected/,
  },
  "makes a plain function async": {
    wrap: (tool) => async (query) => {
      mark(query);
      return tool(query);
    },
    tool: tools.sync,
    says: /without any fault: it resolved where the tool itself returned/,
  },
  "makes a stream a promise": {
    wrap: (tool) => async (query) => {
      mark(query);
      return tool(query);
    },
    tool: tools.streaming,
    says: /without any fault: it resolved where the tool itself streamed/,
  },
  "gives up all labels when one is lost": {
    wrap: (tool) => (query) => {
      try {
        label("trustabl.tool.input_fp", JSON.stringify(query).slice(0, 16));
        label("trustabl.tool.attempt", 1);
      } catch {
        // One `try` around everything.
      }
      return tool(query);
    },
    says: /one_write_throws: it also cost trustabl\.tool\.attempt[\s\S]*cyclic_argument: it also cost/,
  },
  "asks without a guard whether the span records": {
    wrap: (tool) => (query) => {
      if (trace.getActiveSpan()?.isRecording()) mark(query);
      return tool(query);
    },
    says: /is_recording_throws: the injected error came out/,
  },
  "reads the span's attributes without a guard": {
    wrap: (tool) => (query) => {
      const { attributes } = trace.getActiveSpan() as unknown as { attributes: object };
      if (!("trustabl.tool.attempt" in attributes)) mark(query);
      return tool(query);
    },
    says: /attributes_throw: the injected error came out/,
  },
  "reads the span's ids without a guard": {
    wrap: (tool) => (query) => {
      if (trace.getActiveSpan()?.spanContext().traceId !== "") mark(query);
      return tool(query);
    },
    says: /span_context_throws: the injected error came out/,
  },
  "minds that the span has ended": {
    wrap: (tool) => async (query) => {
      mark(query);
      const result = await tool(query);
      if (!trace.getActiveSpan()?.isRecording()) throw new Error("the span has ended");
      return result;
    },
    says: /span_ends_early: it rejected where the tool itself resolved/,
  },
  "looks into what the arguments hold": {
    wrap: (tool) => (query) => {
      mark(query);
      for (const value of Object.values(query)) Object.keys(value);
      return tool(query);
    },
    says: /revoked_proxy_argument: it threw \(TypeError\) where the tool itself resolved/,
  },
  "takes the call id for a run id": {
    wrap: (tool) => (query, options) => {
      markToolSpan(trace.getActiveSpan(), { args: query, runId: options?.toolCallId });
      return tool(query);
    },
    says: /overlong_call_id: it threw \(RangeError\) where the tool itself resolved/,
  },
  "passes any run id on": {
    wrap: (tool) => (query) => {
      markToolSpan(trace.getActiveSpan(), { args: query, runId: currentRun()?.runId });
      return tool(query);
    },
    says: /overlong_run_id: it threw \(RangeError\) where the tool itself resolved/,
  },
  "complains without a guard": {
    wrap: (tool) => (query) => {
      try {
        label("trustabl.tool.input_fp", canonicalFp(query));
      } catch {
        diag.warn("no fingerprint");
      }
      return tool(query);
    },
    says: /logger_throws: the injected error came out/,
  },
};

describe("a wrapper that is wrong", () => {
  it.each(Object.entries(wrongWrappers))("is found out when it %s", async (_what, wrong) => {
    const tool = wrong.tool ?? findFlights;
    await expect(assertToolSurvivesFaults(wrong.wrap(tool), { bare: tool, parameters })).rejects.toThrow(
      expect.objectContaining({ code: "fault_reached_tool", message: expect.stringMatching(wrong.says) }),
    );
  });

  it("is found out by every one of the faults, each of which has a wrapper above", () => {
    const named = Object.values(wrongWrappers).flatMap(({ says }) => says.source.match(/\w+(?=: )/g) ?? []);
    expect(Object.keys(TOOL_FAULTS).filter((fault) => !named.includes(fault))).toEqual([]);
  });

  it("is reported without a word of what the tool was given and gave", async () => {
    const secret = "hunter2";
    const tool = async () => ({ secret });
    const wrong = wrongWrappers["copies the arguments as JSON"]?.wrap(tool) as typeof tool;
    const error: unknown = await assertToolSurvivesFaults(wrong, {
      bare: tool,
      parameters: [{ secret }],
    }).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain("cyclic_argument");
    expect(JSON.stringify([String(error), error])).not.toContain(secret);
  });
});
