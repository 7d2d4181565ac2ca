import { context, type DiagLogger, DiagLogLevel, diag, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { afterEach, describe, expect, it, vi } from "vitest";
import { recordTraces, TestingError } from "../../src/testing/index.ts";
import { callTool, runAgent, searchFlights, searchOnce } from "./support/agent.ts";

const contextWorks = () => {
  const probe = ROOT_CONTEXT.setValue(Symbol("probe"), true);
  return context.with(probe, () => context.active() === probe);
};
const thrownBy = (fn: () => unknown): unknown => {
  try {
    return fn();
  } catch (error) {
    return error;
  }
};

describe("a recording that registers nothing", () => {
  it("touches no global until its provider is asked for, and then the context manager only", async () => {
    const traces = recordTraces({ register: false });
    expect(contextWorks()).toBe(false);
    const { provider } = traces;
    expect(traces.provider).toBe(provider);
    expect(contextWorks()).toBe(true);
    expect(trace.getTracer("global").startSpan("anything").isRecording()).toBe(false);
    await traces.close();
    expect(contextWorks()).toBe(false);
  });

  it("keeps the context manager until the last recording closes, in whatever order they do", async () => {
    const [first, second] = [recordTraces(), recordTraces({ register: false })];
    expect(second.provider).toBeDefined();
    await first.close();
    expect(contextWorks()).toBe(true);
    await searchOnce(second.provider.getTracer("private"));
    await second.assertVerified();
    await second.close();
    expect(contextWorks()).toBe(false);
  });

  it("uses the application's context manager and leaves it in place", async () => {
    const manager = new AsyncLocalStorageContextManager().enable();
    context.setGlobalContextManager(manager);
    try {
      const traces = recordTraces();
      await searchOnce();
      await traces.assertVerified();
      await traces.close();
      expect(contextWorks()).toBe(true);
    } finally {
      context.disable();
    }
  });

  it("records once where its processor was added twice", async () => {
    await using traces = recordTraces({ register: false });
    const { processor } = traces;
    const provider = new NodeTracerProvider({ spanProcessors: [processor, processor] });
    provider.getTracer("twice").startSpan("once").end();
    expect(await traces.spans()).toHaveLength(1);
  });
});

describe("reading a recording", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("works under fake timers", async () => {
    vi.useFakeTimers();
    await using traces = recordTraces({ settleMilliseconds: 20 });
    const attributes = { "gen_ai.operation.name": "invoke_agent" };
    trace.getTracer("test").startSpan("invoke_agent stuck", { attributes });
    trace.getTracer("test").startSpan("invoke_agent done", { attributes }).end();
    expect(await traces.spans()).toHaveLength(1);
  });

  it("works where another processor cannot flush or shut down", async () => {
    const broken = {
      onStart: () => {},
      onEnd: () => {},
      forceFlush: () => Promise.reject(new Error("no collector")),
      shutdown: () => Promise.reject(new Error("no collector")),
    };
    const traces = recordTraces({ spanProcessors: [broken] });
    await searchOnce();
    expect(await traces.spans()).toHaveLength(2);
    await traces.close();
  });

  it("waits for spans that other processors make when they are flushed", async () => {
    await using traces = recordTraces({
      spanProcessors: [
        {
          onStart: () => {},
          onEnd: () => {},
          forceFlush: async () => trace.getTracer("bridge").startSpan("made late").end(),
          shutdown: async () => {},
        },
      ],
    });
    expect(await traces.spans()).toHaveLength(1);
  });

  it("still works after close()", async () => {
    const traces = recordTraces();
    await searchOnce();
    await traces.close();
    await traces.assertVerified();
    expect(await traces.spans()).toHaveLength(2);
  });

  it("names the one root, and refuses to guess which", async () => {
    await using traces = recordTraces();
    await callTool(trace.getTracer("test"), "search_flights", () => searchFlights({ to: "JFK" }));
    await expect(traces.root()).rejects.toThrow(/root_not_certain|No span but a tool's/);
    await searchOnce();
    expect((await traces.root()).name).toBe("invoke_agent helper");
    await searchOnce();
    await expect(traces.root()).rejects.toThrow(expect.objectContaining({ code: "root_not_certain" }));
  });

  it("refuses to judge a part of the spans when there were too many to keep", async () => {
    await using traces = recordTraces({ register: false });
    for (let count = 0; count <= 100_000; count += 1) {
      const span = { spanContext: () => ({ traceId: "t", spanId: String(count) }) };
      traces.processor.onStart(span as never, undefined as never);
      traces.processor.onEnd(span as never);
    }
    await expect(traces.assertVerified()).rejects.toThrow(
      expect.objectContaining({ code: "too_many_spans" }),
    );
    traces.clear();
    expect(await traces.spans()).toEqual([]);
  });

  it("survives spans that are none", async () => {
    await using traces = recordTraces({ register: false });
    for (const span of [undefined, {}, { spanContext: () => undefined }]) {
      traces.processor.onStart(span as never, undefined as never);
      traces.processor.onEnd(span as never);
    }
    expect(await traces.spans()).toEqual([]);
  });

  it("does not record a span that ends after the recording closed", async () => {
    const traces = recordTraces();
    await runAgent(() => traces.close());
    expect(await traces.spans()).toHaveLength(0);
    expect(traces.unended()).toHaveLength(1);
  });
});

describe("the diagnostics of a recording", () => {
  const hearing = () => {
    const heard: string[] = [];
    const hear = (message: string) => void heard.push(message);
    const logger: DiagLogger = { error: hear, warn: hear, info: hear, debug: hear, verbose: hear };
    return { heard, logger };
  };
  afterEach(() => diag.disable());

  it("are what was said since it began, also what is said once only", async () => {
    for (let round = 0; round < 2; round += 1) {
      await using traces = recordTraces();
      await searchFlights({ to: "JFK" });
      expect(traces.diagnostics).toEqual([expect.stringContaining("no span is active")]);
      traces.clear();
      expect(traces.diagnostics).toEqual([]);
    }
  });

  it("are what was said since it began, also while another is open", async () => {
    await using first = recordTraces();
    await searchFlights({ to: "JFK" });
    await using second = recordTraces({ register: false });
    await searchFlights({ to: "JFK" });
    expect(first.diagnostics).toHaveLength(2);
    expect(second.diagnostics).toHaveLength(1);
  });

  it("are heard by each recording that is open", async () => {
    await using first = recordTraces();
    await using second = recordTraces({ register: false });
    diag.warn("%s of %d", "one", 2);
    diag.info("not this");
    expect(first.diagnostics).toEqual(["one of 2"]);
    expect(second.diagnostics).toEqual(["one of 2"]);
  });

  it("still reach the logger that was there, at its level, before and after", async () => {
    const { heard, logger } = hearing();
    diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
    const traces = recordTraces();
    diag.warn("while recording");
    diag.info("below its level");
    await traces.close();
    diag.warn("afterwards");
    diag.info("below its level");
    expect(heard).toEqual(["while recording", "afterwards"]);
    expect(traces.diagnostics).toEqual(["while recording"]);
  });

  it("leave a logger in place that came later", async () => {
    const traces = recordTraces();
    const { heard, logger } = hearing();
    diag.setLogger(logger, { suppressOverrideMessage: true });
    await using second = recordTraces({ register: false });
    await traces.close();
    diag.warn("to the later one");
    expect(heard).toEqual(["to the later one"]);
    expect(second.diagnostics).toEqual([]);
    await second.close();
    diag.warn("still to the later one");
    expect(heard).toHaveLength(2);
  });

  it("are kept within bounds", async () => {
    await using traces = recordTraces();
    for (let count = 0; count < 2_000; count += 1) diag.warn("x".repeat(20_000));
    expect(traces.diagnostics).toHaveLength(1_000);
    expect(traces.diagnostics[0]).toHaveLength(10_000);
  });
});

describe("an SDK that is handed over", () => {
  it("has to have a provider class", () => {
    const error = thrownBy(() => recordTraces({ sdk: {} }));
    expect(error).toBeInstanceOf(TestingError);
    expect(error).toMatchObject({ code: "sdk_missing", name: "TestingError" });
    expect(contextWorks()).toBe(false);
  });
});

describe("a second copy of OpenTelemetry's API", () => {
  const API = Symbol.for("opentelemetry.js.api.1");
  afterEach(() => {
    Reflect.deleteProperty(globalThis, API);
  });

  it.each([
    ["older", { version: "1.0.0" }],
    ["newer", { version: "1.99.0" }],
    ["newer, with a context manager", { version: "1.99.0", context: new AsyncLocalStorageContextManager() }],
  ])("that is %s and registered first is reported", (_what, globals) => {
    Reflect.set(globalThis, API, globals);
    expect(thrownBy(() => recordTraces())).toMatchObject({
      code: "api_mismatch",
      message: expect.stringContaining("npm ls @opentelemetry/api"),
    });
  });
});
