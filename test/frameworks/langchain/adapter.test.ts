import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import * as callbackManager from "@langchain/core/callbacks/manager";
import { DynamicTool, StructuredTool } from "@langchain/core/tools";
import { context, DiagLogLevel, diag } from "@opentelemetry/api";
import { suppressTracing } from "@opentelemetry/core";
import { createMiddleware } from "langchain";
import { describe, expect, it } from "vitest";
import { labelTools } from "../../../src/adapters/langchain.ts";
import { canonicalFp } from "../../../src/index.ts";
import { createAgent, question, scripted, search, searchTool, tool, z } from "./agents.ts";
import { inRun, labelsOf, provider, takeSpans } from "./tracing.ts";

const instrumentation = new LangChainInstrumentation({ tracerProvider: provider });
instrumentation.manuallyInstrument(callbackManager);

const toolSpan = async () =>
  (await takeSpans()).find((span) => span.attributes["openinference.span.kind"] === "TOOL");

const call = (id = "c1") => ({ type: "tool_call" as const, ...search(id) });

describe("labelTools", () => {
  it("gives back the same tools to LangChain and leaves the given ones as they were", async () => {
    const provided = { type: "web_search" };
    const [labelled, other] = labelTools([searchTool, provided]);
    expect(other).toBe(provided);
    expect(labelled).toBeInstanceOf(StructuredTool);
    expect(labelled).toMatchObject({ name: "search", description: "Searches." });
    expect(labelled.schema).toBe(searchTool.schema);
    await inRun(() => searchTool.invoke(call()));
    expect(labelsOf(await toolSpan())).toEqual({});
  });

  it("labels a tool class with private fields, and a tool of one text", async () => {
    class Secretive extends StructuredTool {
      override name = "search";
      override description = "Searches.";
      override schema = z.object({ q: z.string() });
      readonly #answer = "#kept#";
      override async _call(_input: { q: string }): Promise<string> {
        return this.#answer;
      }
    }
    const text = new DynamicTool({ name: "shout", description: "Shouts.", func: async (word) => `${word}!` });
    const [secretive, shout] = labelTools([new Secretive(), text]);
    await inRun(async () => {
      await secretive.invoke(call());
      expect(labelsOf(await toolSpan())["trustabl.tool.output_fp"]).toBe(canonicalFp("#kept#"));
      expect(await shout.invoke("hey")).toBe("hey!");
      expect(labelsOf(await toolSpan())).toMatchObject({
        "trustabl.tool.input_fp": canonicalFp("hey"),
        "trustabl.tool.output_fp": canonicalFp("hey!"),
      });
    });
  });

  it("takes for the result of a generator what it returns, not the progress that it yields", async () => {
    const progress = tool(
      async function* (_input: { q: string }) {
        yield "half";
        return "whole";
      } as never,
      { name: "search", description: "Slow.", schema: z.object({ q: z.string() }) },
    );
    const [labelled] = labelTools([progress]);
    await inRun(() => labelled.invoke(call() as never));
    expect(labelsOf(await toolSpan())["trustabl.tool.output_fp"]).toBe(canonicalFp("whole"));
  });

  it("takes a default that the model left out, and the same value written, for the same call", async () => {
    const weather = tool(async ({ city, unit }: { city: string; unit: string }) => `${city}: 7 ${unit}`, {
      name: "weather",
      description: "Tells the weather.",
      schema: z.object({ city: z.string().trim(), unit: z.enum(["C", "F"]).default("C") }),
    });
    const [labelled] = labelTools([weather]);
    const inputs: unknown[] = [];
    await inRun(async () => {
      for (const args of [{ city: "Rome" }, { city: " Rome", unit: "C" }] as const) {
        await labelled.invoke({ type: "tool_call", id: "c1", name: "weather", args });
        const labels = labelsOf(await toolSpan());
        inputs.push([labels["trustabl.tool.input_fp"], labels["trustabl.tool.attempt"]]);
      }
    });
    const celsius = canonicalFp({ city: "Rome", unit: "C" });
    expect(inputs).toEqual([
      [celsius, 1],
      [celsius, 2],
    ]);
  });

  it("throws at once on what is wrong", () => {
    const label = (definitions: object) => () => labelTools([searchTool], definitions as never);
    expect(label({ serch: {} })).toThrow(/"serch"/);
    expect(label({ search: { sideEffect: "none" } })).toThrow(RangeError);
    expect(label({ search: { errorClass: "4xx" } })).toThrow(/"errorClass"/);
    expect(() => labelTools(labelTools([searchTool]))).toThrow(/labelled already/);
  });

  it("hands the tool's own error on, the very same", async () => {
    const failure = Object.freeze({ odd: true });
    const failing = tool(
      async () => {
        throw failure;
      },
      { name: "search", description: "Fails.", schema: z.object({ q: z.string() }) },
    );
    const [labelled] = labelTools([failing]);
    await expect(inRun(() => labelled.invoke(call()))).rejects.toBe(failure);
    expect(labelsOf(await toolSpan())["trustabl.tool.output_fp"]).toBe(canonicalFp(null));
  });
});

describe("a call", () => {
  const spansByAttempt = async () =>
    (await takeSpans())
      .filter((span) => span.attributes["openinference.span.kind"] === "TOOL")
      .map((span) => [labelsOf(span)["trustabl.tool.attempt"], labelsOf(span)["trustabl.tool.error_class"]])
      .sort((a, b) => Number(a[0]) - Number(b[0]));

  it("that a middleware makes again has the same call id and the next attempt", async () => {
    let calls = 0;
    const flaky = tool(
      async () => {
        calls += 1;
        if (calls === 1) throw Object.assign(new Error("busy"), { status: 503 });
        return "found";
      },
      { name: "search", description: "Searches.", schema: z.object({ q: z.string() }) },
    );
    const again = createMiddleware({
      name: "again",
      wrapToolCall: async (request, handler) => {
        try {
          return await handler(request);
        } catch {
          return await handler(request);
        }
      },
    });
    const agent = createAgent({
      model: scripted([search("c1")]),
      tools: labelTools([flaky]),
      middleware: [again],
    });
    await inRun(() => agent.invoke(question));
    expect(await spansByAttempt()).toEqual([
      [1, "5xx"],
      [2, undefined],
    ]);
  });

  it("that is aborted keeps its labels and is no timeout", async () => {
    const controller = new AbortController();
    const endless = tool(
      () => {
        controller.abort();
        return new Promise<string>(() => {});
      },
      { name: "search", description: "Searches.", schema: z.object({ q: z.string() }) },
    );
    const [labelled] = labelTools([endless]);
    await expect(inRun(() => labelled.invoke(call(), { signal: controller.signal }))).rejects.toThrow();
    expect(await spansByAttempt()).toEqual([[1, undefined]]);
  });
});

describe("a span that is late", () => {
  // LangChain's queue works off one callback after the other: this one keeps all later ones waiting.
  class Slow extends BaseCallbackHandler {
    override name = "slow";
    readonly #pause: Promise<void>;
    constructor(pause: Promise<void>) {
      super();
      this.#pause = pause;
    }
    override async handleToolStart(): Promise<void> {
      await this.#pause;
    }
  }

  const slowAnd = (pause: Promise<void>, body: () => Promise<string>) => {
    const [labelled] = labelTools([
      tool(body, { name: "search", description: "Searches.", schema: z.object({ q: z.string() }) }),
    ]);
    const manager = new callbackManager.CallbackManager();
    manager.addHandler(new Slow(pause));
    return inRun(() => labelled.invoke(call(), { callbacks: manager }));
  };

  it("gets its labels when it comes during the call", async () => {
    let release = () => {};
    const pause = new Promise<void>((resolve) => {
      release = resolve;
    });
    await slowAnd(pause, async () => {
      release();
      return "found";
    });
    expect(labelsOf(await toolSpan())).toMatchObject({
      "trustabl.tool.attempt": 1,
      "trustabl.tool.input_fp": canonicalFp({ q: "x" }),
      "trustabl.tool.output_fp": canonicalFp("found"),
    });
  });

  it("does not hold up a call that is over before, whose labels are dropped, and says so", async () => {
    const said: string[] = [];
    const silent = () => {};
    diag.setLogger(
      { error: silent, warn: (text) => said.push(text), info: silent, debug: silent, verbose: silent },
      DiagLogLevel.WARN,
    );
    let release = () => {};
    const pause = new Promise<void>((resolve) => {
      release = resolve;
    });
    await slowAnd(pause, async () => "found");
    release();
    expect(labelsOf(await toolSpan())).toEqual({});
    expect(said).toContainEqual(expect.stringContaining("LANGCHAIN_CALLBACKS_BACKGROUND=false"));
    diag.disable();
  });
});

describe("without spans", () => {
  const agent = () =>
    createAgent({ model: scripted([search("c1"), search("c2")]), tools: labelTools([searchTool]) });

  it("writes nothing and throws nothing where tracing is suppressed", async () => {
    const { messages } = await context.with(suppressTracing(context.active()), () =>
      agent().invoke(question),
    );
    expect(messages.at(-1)?.text).toBe("done");
  });

  it("writes nothing and throws nothing where nothing is instrumented, also not on the application's span", async () => {
    await takeSpans();
    (instrumentation as unknown as { unpatch(module: unknown): void }).unpatch(callbackManager);
    const { messages } = await inRun(() => agent().invoke(question));
    expect(messages.at(-1)?.text).toBe("done");
    const [root, ...others] = await takeSpans();
    expect(others).toEqual([]);
    expect(Object.keys(labelsOf(root)).sort()).toEqual(["trustabl.exit_reason", "trustabl.run_id"]);
  });
});

describe("spans of the application's own around tool calls", () => {
  // No instrumentation: a middleware makes the spans, and makes them active.
  const tracer = provider.getTracer("application");
  const spanned = (callId: (id: string) => string) =>
    createMiddleware({
      name: "spans",
      wrapToolCall: (request, handler) =>
        tracer.startActiveSpan(
          "execute_tool search",
          {
            attributes: {
              "gen_ai.operation.name": "execute_tool",
              "gen_ai.tool.call.id": callId(request.toolCall.id ?? ""),
            },
          },
          async (span) => {
            try {
              return await handler(request);
            } finally {
              span.end();
            }
          },
        ),
    });
  const labelled = async (callId: (id: string) => string) => {
    const agent = createAgent({
      model: scripted([search("c1"), search("c2")]),
      tools: labelTools([searchTool]),
      middleware: [spanned(callId)],
    });
    await inRun(() => agent.invoke(question));
    return (await takeSpans()).filter(({ name }) => name === "execute_tool search");
  };

  it("get the labels of their call, by its id", async () => {
    const spans = await labelled((id) => id);
    expect(spans.map((span) => labelsOf(span)["trustabl.tool.output_fp"])).toEqual(
      spans.map((span) => canonicalFp(`#x-${String(span.attributes["gen_ai.tool.call.id"])}#`)),
    );
    expect(spans).toHaveLength(2);
  });

  it("get none where the id is another call's", async () => {
    const spans = await labelled((id) => `another ${id}`);
    expect(spans.map(labelsOf)).toEqual([{}, {}]);
  });
});

describe("a callback handler of another shape", () => {
  const shapes: Record<string, object> = {
    "no map": {},
    "a map of another kind": { runs: 1 },
    "no span": { runs: new Proxy({}, { get: () => ({}) }) },
    "a map that throws": {
      get runs() {
        throw new Error("no");
      },
    },
  };
  it.each(Object.keys(shapes))("is no reason to fail: %s", async (shape) => {
    const [labelled] = labelTools([searchTool]);
    const runManager = {
      runId: "1",
      handlers: [
        Object.defineProperties(
          { name: "OpenInferenceLangChainTracer" },
          Object.getOwnPropertyDescriptors(shapes[shape] as object),
        ),
      ],
      getChild: () => undefined,
    };
    const { _call } = labelled as unknown as { _call(...parameters: unknown[]): Promise<unknown> };
    expect(await _call({ q: "x" }, runManager, { toolCall: { id: "c1" } })).toBe("#x-c1#");
  });
});
