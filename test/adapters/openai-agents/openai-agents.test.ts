import { DiagLogLevel, diag } from "@opentelemetry/api";
import { afterEach, describe, expect, it } from "vitest";
import {
  AgentsSpanTracker,
  labelRunner,
  labelTool,
  labelTools,
} from "../../../src/adapters/openai-agents.ts";
import { toolSpanSources } from "../../../src/tool/tool-span-source.ts";

const PROVIDER = Symbol.for("openai.agents.core.traceProvider");
const globals = globalThis as Record<symbol, unknown>;
const trackers: AgentsSpanTracker[] = [];
const newTracker = () => {
  const tracker = new AgentsSpanTracker();
  trackers.push(tracker);
  return tracker;
};

/** A runner's or an agent's hooks. */
function newHooks() {
  const listeners = new Map<string, (...told: unknown[]) => void>();
  return {
    on: (event: string, listener: (...told: unknown[]) => void) => listeners.set(event, listener),
    emit: (event: string, ...told: unknown[]) => listeners.get(event)?.(...told),
  };
}

afterEach(async () => {
  delete globals[PROVIDER];
  diag.disable();
  for (const tracker of trackers.splice(0)) await tracker.shutdown();
});

describe("labelTool", () => {
  it("gives a function that does the same", async () => {
    const execute = labelTool(
      { name: "search" },
      async ({ q }: { q: string }, ..._rest: unknown[]) => `found ${q}`,
    );
    expect(await execute({ q: "x" }, undefined, { toolCall: 1 })).toBe("found x");
  });

  it("refuses a wrong definition at once", () => {
    expect(() => labelTool(undefined as never, async () => "")).toThrow(TypeError);
    expect(() => labelTool({ name: "search", sideEffect: "none" as never }, async () => "")).toThrow(
      RangeError,
    );
  });
});

describe("labelTools", () => {
  const search = { type: "function", name: "search", invoke: () => "found" };

  it("throws at once on what is wrong", () => {
    const label = (definitions: object) => () => labelTools([search], definitions as never);
    expect(label({ serch: {} })).toThrow(/"serch"/);
    expect(label({ search: { sideEffect: "none" } })).toThrow(RangeError);
    expect(label({ search: { errorClass: "4xx" } })).toThrow(/"errorClass"/);
    expect(() => labelTools(labelTools([search]))).toThrow(/labelled already/);
    expect(() => labelTools({ search } as never)).toThrow(/list of tools/);
  });

  it("takes no definition from the prototype of the definitions", () => {
    const odd = { ...search, name: "constructor" };
    expect(labelTools([odd])[0]).toMatchObject({ name: "constructor" });
  });

  it("calls the tool as it was, also one that throws at once, outside the SDK and in a call of it", () => {
    const failure = new Error("no");
    const failing = {
      ...search,
      invoke: () => {
        throw failure;
      },
    };
    const [found, fails] = labelTools([search, { ...failing, name: "fails" }]);
    const call = (name: string) => () => ({ spanId: "span_1", spanData: { type: "function", name } });
    expect(found.invoke()).toBe("found");
    globals[PROVIDER] = { getCurrentSpan: call("search") };
    expect(found.invoke).not.toBe(search.invoke);
    expect(found.invoke()).toBe("found");
    globals[PROVIDER] = { getCurrentSpan: call("fails") };
    expect(() => fails.invoke()).toThrow(failure);
  });
});

describe("labelRunner", () => {
  it.each([
    ["nothing", []],
    ["something else", [1, "x", null]],
    ["a call of another form", [{}, {}, { name: "search" }, { toolCall: null }]],
    [
      "details that throw",
      [{}, {}, { name: "search" }, Object.create(null, { toolCall: { get: () => fail() } })],
    ],
    ["a tool that throws", [{}, Object.create(null, { name: { get: () => fail() } }), {}]],
  ])("does not disturb the agent when its hooks are told %s", (_case, told) => {
    newTracker();
    globals[PROVIDER] = {
      getCurrentSpan: () => ({ spanId: "span_1", spanData: { type: "function", name: "search" } }),
    };
    const hooks = labelRunner(newHooks(), { search: {} });
    expect(() => hooks.emit("agent_tool_start", ...told)).not.toThrow();
    expect(() => hooks.emit("agent_tool_end", ...told)).not.toThrow();
  });

  it("says that a tracker is missing", () => {
    const said: string[] = [];
    const say = (message: string) => void said.push(message);
    diag.setLogger({ error: say, warn: say, info: say, debug: say, verbose: say }, DiagLogLevel.WARN);
    globals[PROVIDER] = {
      getCurrentSpan: () => ({ spanId: "span_1", spanData: { type: "function", name: "search" } }),
    };
    const hooks = labelRunner(newHooks(), { search: {} });
    hooks.emit(
      "agent_tool_start",
      {},
      { name: "search" },
      { toolCall: { type: "function_call", arguments: "{}" } },
    );
    expect(said.join("\n")).toContain("AgentsSpanTracker");
  });
});

describe("AgentsSpanTracker", () => {
  it("is known to wrapped tools until it is shut down", async () => {
    const tracker = newTracker();
    expect(toolSpanSources()).toContain(tracker);
    await tracker.shutdown();
    expect(toolSpanSources()).not.toContain(tracker);
  });

  it("does not throw into whoever starts a span, whatever the SDK's state", () => {
    const tracker = newTracker();
    globals[PROVIDER] = { getCurrentSpan: () => ({ spanId: "span_1", spanData: { type: "handoff" } }) };
    for (const span of [{}, null, Object.create(null, { spanContext: { get: () => fail() } })]) {
      expect(() => tracker.onStart(span as never)).not.toThrow();
      expect(() => tracker.onEnd(span as never)).not.toThrow();
    }
  });

  it("forgets the oldest of too many calls whose end no hook told", () => {
    const tracker = newTracker();
    for (let index = 0; index < 10_010; index += 1) {
      tracker.rememberCall(`span_${index}`, { begun: undefined, takenOver: false });
    }
    expect(tracker.size.hooked).toBe(10_000);
  });
});

function fail(): never {
  throw new Error("hostile");
}
