import { afterEach, describe, expect, it } from "vitest";
import { callOf, currentCallOf, currentSdkSpans } from "../../../src/adapters/openai-agents/sdk-span.ts";

const PROVIDER = Symbol.for("openai.agents.core.traceProvider");
const globals = globalThis as Record<symbol, unknown>;

let count = 0;
const sdkSpan = (type: string, name?: string, previousSpan?: unknown, more: object = {}) => ({
  spanId: `span_${++count}`,
  spanData: { type, name },
  previousSpan,
  ...more,
});
const setCurrent = (span: unknown) => {
  globals[PROVIDER] = { getCurrentSpan: () => span };
};

afterEach(() => {
  delete globals[PROVIDER];
});

describe("the call that the running code is in", () => {
  it("is the SDK's current span when that is a tool's of this name, with or without a namespace", () => {
    const span = sdkSpan("function", "search");
    setCurrent(span);
    expect(currentCallOf("search")).toBe(span);
    expect(currentCallOf("sea")).toBeUndefined();
    setCurrent(sdkSpan("function", "web.search"));
    expect(currentCallOf("search")).toBeDefined();
    expect(currentCallOf("arch")).toBeUndefined();
  });

  it("is found through spans of the application, and not through a turn, an agent or another tool", () => {
    const call = sdkSpan("function", "search");
    setCurrent(sdkSpan("custom", "mine", call));
    expect(currentCallOf("search")).toBe(call);
    for (const type of ["turn", "agent", "task", "handoff", "function"]) {
      setCurrent(sdkSpan(type, "other", call));
      expect(currentCallOf("search")).toBeUndefined();
    }
  });

  it("is over when its span has ended", () => {
    setCurrent(sdkSpan("function", "search", undefined, { endedAt: "2026-11-30" }));
    expect(currentCallOf("search")).toBeUndefined();
  });

  it("is none with the SDK's tracing off", () => {
    setCurrent({ ...sdkSpan("function", "search"), spanId: "no-op" });
    expect(currentCallOf("search")).toBeUndefined();
  });
});

describe("internals of the SDK that are not as expected", () => {
  const throwing = (member: string) =>
    Object.defineProperty({}, member, {
      get: () => {
        throw new Error("hostile");
      },
    });

  it.each([
    ["no provider", undefined],
    ["a provider of another form", { getCurrentSpan: 1 }],
    ["a provider that throws", throwing("getCurrentSpan")],
    ["no span", { getCurrentSpan: () => null }],
    ["a span of another form", { getCurrentSpan: () => ({ spanId: 1 }) }],
    ["a span without data", { getCurrentSpan: () => ({ spanId: "a", spanData: null }) }],
    ["a span that throws", { getCurrentSpan: () => throwing("spanId") }],
  ])("%s: nothing is found", (_case, provider) => {
    globals[PROVIDER] = provider;
    expect(currentSdkSpans()).toEqual([]);
    expect(currentCallOf("search")).toBeUndefined();
  });

  it("a circle of spans ends", () => {
    const span: Record<string, unknown> = sdkSpan("custom");
    span.previousSpan = span;
    setCurrent(span);
    expect(callOf(currentSdkSpans())).toBeUndefined();
  });
});
