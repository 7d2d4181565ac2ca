import { context, trace } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { labelDelegation, labelTools } from "../../../src/adapters/mastra.ts";
import { canonicalFp } from "../../../src/index.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import { inSpan, labelsOf, toolSpanAttributes, useContextManager } from "../../support/tracing.ts";
import { Application } from "../application.ts";
import { search, toolOf } from "./agent.ts";

useContextManager();

describe("labelTools of the Mastra adapter", () => {
  it("gives back a set of the same keys, whose tools are Mastra's still, and leaves the given ones as they are", () => {
    const { execute } = search;
    const client = { id: "client" };
    const tools = labelTools({ search, client });
    expect(Object.keys(tools)).toEqual(["search", "client"]);
    expect(tools.client).toBe(client);
    expect(tools.search).toBeInstanceOf(search.constructor);
    expect(tools.search).not.toBe(search);
    expect(search.execute).toBe(execute);
    expect({ ...tools.search, execute }).toEqual({ ...search });
  });

  it("throws at once on what is wrong", () => {
    const label = (definitions: object) => () => labelTools({ search }, definitions as never);
    expect(label({ serch: {} })).toThrow(/"serch"/);
    expect(label({ search: { sideEffect: "none" } })).toThrow(RangeError);
    expect(label({ search: { errorClass: "4xx" } })).toThrow(/"errorClass"/);
    expect(() => labelTools(undefined as never)).toThrow(TypeError);
  });

  it("hands the tool's own error on, the very same", async () => {
    const failure = Object.freeze({ odd: true });
    const tools = labelTools({
      fails: {
        execute: async () => {
          throw failure;
        },
      },
    });
    await expect(tools.fails.execute()).rejects.toBe(failure);
  });
});

/** Runs a labelled tool in a live span as the bridge makes it, with this context. */
async function calledWith(contextOf: (spanId: string) => unknown, name = "tool: 'search'", attributes = {}) {
  const application = new Application();
  const messages = hearDiagnostics();
  const { search: tool } = labelTools({
    search: { execute: async (_input: object, _context: unknown) => 1 },
  });
  const tracer = application.provider.getTracer("@mastra/otel-bridge");
  const result = await inSpan(tracer, name, attributes, (span) =>
    tool.execute({ q: "x" }, contextOf(span.spanContext().spanId)),
  );
  expect(result).toBe(1);
  const [span] = await application.spans();
  return { labels: Object.keys(labelsOf(span)), said: ownMessages(messages) };
}

describe("what Mastra hands to a tool", () => {
  it.each([
    ["no context", () => undefined],
    ["null", () => null],
    ["no tracing context", () => ({ agent: { toolCallId: "call_1" } })],
    ["no current span", () => ({ tracingContext: {} })],
    ["a span that is none", () => ({ tracingContext: { currentSpan: { isValid: false, id: "" } } })],
    ["ids of another kind", () => ({ agent: { toolCallId: 1 }, tracingContext: null })],
  ])("may lack anything, and the tool is labelled by its span's name: %s", async (_what, context) => {
    const { labels } = await calledWith(context);
    expect(labels).toContain("trustabl.tool.input_fp");
  });

  it("names the call's span, which is labelled when it is the active one", async () => {
    const { labels } = await calledWith((id) => ({
      tracingContext: { currentSpan: { id, type: "tool_call" } },
    }));
    expect(labels).toContain("trustabl.tool.input_fp");
  });

  it("names another span than the active one: nothing is written, and it is told what is missing", async () => {
    const currentSpan = { id: "00000000000000ff", type: "tool_call" };
    const { labels, said } = await calledWith(() => ({ tracingContext: { currentSpan } }));
    expect(labels).toEqual([]);
    expect(said).toEqual([expect.stringContaining("OtelBridge")]);
  });

  it.each([
    ["agent", { agent: { toolCallId: "call_2" } }],
    ["context", { toolCallId: "call_2" }],
  ])(
    "says that the active span is another call's, by the id in the %s: nothing is written",
    async (_where, handed) => {
      // Mastra's telemetry is off, and its agent runs inside a tool of the same name of another framework.
      const attributes = toolSpanAttributes("search", "call_1");
      const { labels, said } = await calledWith(() => handed, "execute_tool search", attributes);
      expect(labels).toEqual([]);
      expect(said).toEqual([expect.stringContaining("not recognisably this call's")]);
    },
  );

  it("may throw when it is read, and the tool runs all the same", async () => {
    const { labels } = await calledWith(() => ({
      get agent() {
        throw new Error("no");
      },
      get tracingContext() {
        throw new Error("no");
      },
    }));
    // The span's name says enough.
    expect(labels).toContain("trustabl.tool.input_fp");
  });
});

describe("the delegation hooks", () => {
  const odd = [undefined, {}, { primitiveType: "agent" }, { primitiveType: "agent", params: null }];
  it.each(odd)("are told something odd and throw nothing: %o", async (told) => {
    const { onDelegationStart, onDelegationComplete } = labelDelegation();
    await expect(onDelegationStart(told)).resolves.toBeUndefined();
    await expect(onDelegationComplete(told)).resolves.toBeUndefined();
  });

  it("leave a workflow's call alone", async () => {
    const application = new Application();
    const span = application.provider.getTracer("@mastra/otel-bridge").startSpan("tool: 'agent-a'");
    await context.with(trace.setSpan(context.active(), span), () =>
      labelDelegation().onDelegationStart({ primitiveType: "workflow", prompt: "x", params: {} }),
    );
    span.end();
    const [exported] = await application.spans();
    expect(labelsOf(exported)).toEqual({});
  });
});

it("a tool outside an agent has no span, and works", async () => {
  const { double } = labelTools({ double: toolOf("double", async ({ q }) => q + q) });
  expect(await double.execute?.({ q: "a" }, {} as never)).toBe("aa");
  expect(canonicalFp("aa")).toMatch(/^[0-9a-f]{16}$/);
});
