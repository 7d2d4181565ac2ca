import { describe, expect, it } from "vitest";
import { labelTools } from "../../../src/adapters/strands.ts";
import { canonicalFp } from "../../../src/index.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import { inSpan, toolSpanAttributes, useContextManager } from "../../support/tracing.ts";
import { Application, labelsOf } from "../application.ts";
import { search } from "./agent.ts";

useContextManager();

describe("labelTools of the Strands adapter", () => {
  it("gives back tools that are Strands' still, and leaves the given ones as they are", async () => {
    const { stream } = search;
    const [labelled] = labelTools([search]);
    expect(labelled).toBeInstanceOf(search.constructor);
    expect(labelled.toolSpec).toBe(search.toolSpec);
    expect(search.stream).toBe(stream);
    expect(await labelled.invoke({ q: "a" })).toEqual({ found: "a" });
  });

  it("throws at once on what is wrong", () => {
    const label = (definitions: object) => () => labelTools([search], definitions as never);
    expect(label({ serch: {} })).toThrow(/"serch"/);
    expect(label({ search: { sideEffect: "none" } })).toThrow(RangeError);
    expect(label({ search: { errorClass: "4xx" } })).toThrow(/"errorClass"/);
    expect(() => labelTools(labelTools([search]))).toThrow(/labelled already/);
  });
});

/** A tool of another shape than Strands makes them, called in a live span as Strands makes it. */
async function streamed(result: unknown, context?: unknown) {
  const application = new Application();
  const messages = hearDiagnostics();
  const tool = {
    name: "search",
    toolSpec: {},
    async *stream() {
      yield "part";
      if (result instanceof Error) throw result;
      return result;
    },
  };
  const [labelled] = labelTools([tool]) as unknown as [{ stream(context: unknown): AsyncGenerator }];
  const tracer = application.provider.getTracer("strands-agents");
  const attributes = toolSpanAttributes("search", "call_1");
  const parts = await inSpan(tracer, "execute_tool search", attributes, async () => {
    const stream = labelled.stream(context);
    const parts: unknown[] = [await stream.next()];
    parts.push(await stream.next().catch((error: unknown) => error));
    return parts;
  });
  const [span] = await application.spans();
  return { parts, labels: labelsOf(span), said: ownMessages(messages) };
}

describe("what a Strands tool gets and gives", () => {
  it.each([undefined, null, {}, { toolUse: null }, { toolUse: { toolUseId: 1 } }])(
    "may lack the call's id and arguments: %o",
    async (context) => {
      const { labels, parts } = await streamed(undefined, context);
      expect(parts).toEqual([
        { done: false, value: "part" },
        { done: true, value: undefined },
      ]);
      expect(labels).toHaveProperty("output_fp");
    },
  );

  it("is of another call when the ids differ: nothing is written, and that is told", async () => {
    const { labels, said } = await streamed(undefined, { toolUse: { toolUseId: "call_2", input: {} } });
    expect(labels).toEqual({});
    expect(said).toEqual([expect.stringContaining("not recognisably this call's")]);
  });

  const context = { toolUse: { toolUseId: "call_1", input: {} } };
  it.each([
    ["a text", [{ type: "textBlock", text: "a" }], "a"],
    ["a JSON value", [{ type: "jsonBlock", json: { a: 1 } }], { a: 1 }],
    ["a list", [{ type: "jsonBlock", json: { $value: [1] } }], [1]],
    ["an object like a list's", [{ type: "jsonBlock", json: { $value: [1], a: 1 } }], { $value: [1], a: 1 }],
    [
      "more than one",
      [
        { type: "textBlock", text: "a" },
        { type: "jsonBlock", json: 1 },
      ],
      ["a", 1],
    ],
    ["none", [], []],
  ])("has the fingerprint of what goes to the model: %s", async (_what, content, value) => {
    const { labels } = await streamed({ content }, context);
    expect(labels.output_fp).toBe(canonicalFp(value));
  });

  it("is handed on, the very same, whatever it is, and what cannot be read is told", async () => {
    const result = {
      get error() {
        throw new Error("no");
      },
    };
    const { parts, labels, said } = await streamed(result, context);
    expect((parts[1] as { value: unknown }).value).toBe(result);
    expect(labels).toHaveProperty("input_fp");
    expect(labels).not.toHaveProperty("output_fp");
    expect(said).toContainEqual(expect.stringContaining("unknown form"));
  });

  it("is thrown on, the very same", async () => {
    const failure = Object.assign(new Error("no"), { status: 401 });
    const { parts, labels } = await streamed(failure, context);
    expect(parts[1]).toBe(failure);
    expect(labels).toMatchObject({ error_class: "auth", output_fp: canonicalFp(null) });
  });
});
