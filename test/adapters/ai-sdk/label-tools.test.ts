import { afterAll, describe, expect, it } from "vitest";
import { labelTools } from "../../../src/adapters/ai-sdk.ts";
import { canonicalFp, startRun } from "../../../src/index.ts";
import { sdk2 } from "../../support/sdks-here.ts";
import { inSpan, labelsOf, useContextManager } from "../../support/tracing.ts";

useContextManager();
const tracing = sdk2.open();
afterAll(() => tracing.close());

const search = { description: "finds", execute: async ({ q }: { q: string }) => [q] };
const ask = { description: "for the client" };

/** Calls a tool as the SDK does: bound to the tool, in the span of the call. */
function callTool(name: string, tool: object, input: unknown) {
  const attributes = { "ai.toolCall.name": name, "ai.toolCall.id": "call_1" };
  const { execute } = tool as { execute(input: unknown, options: object): unknown };
  return inSpan(tracing.tracer, "ai.toolCall", attributes, () =>
    startRun(undefined).with(() => execute.call(tool, input, { toolCallId: "call_1" })),
  );
}
const lastLabels = () => labelsOf(tracing.finished().at(-1));

describe("labelTools", () => {
  it("labels a tool by its definition, under its key in the set", async () => {
    const tools = labelTools(
      { search, ask },
      { search: { sideEffect: "read", isEmpty: (found) => !found[0] } },
    );
    expect(await callTool("search", tools.search, { q: "" })).toEqual([""]);
    expect(lastLabels()).toMatchObject({
      "trustabl.tool.side_effect": "read",
      "trustabl.tool.input_fp": canonicalFp({ q: "" }),
      "trustabl.tool.error_class": "empty",
    });
  });

  it("labels a tool without a definition, and claims no side effect", async () => {
    await callTool("search", labelTools({ search }).search, { q: "a" });
    expect(lastLabels()).toHaveProperty(["trustabl.tool.output_fp"], canonicalFp(["a"]));
    expect(lastLabels()).not.toHaveProperty(["trustabl.tool.side_effect"]);
  });

  it("writes nothing on the span of another tool, though it has the call's id", async () => {
    await callTool("research", labelTools({ search }).search, { q: "a" });
    expect(lastLabels()).toEqual({});
  });

  it("gives back the same object for a tool without execute, and leaves the given set as it was", () => {
    const set = { search, ask };
    const tools = labelTools(set);
    expect(tools.ask).toBe(ask);
    expect(set.search.execute).toBe(search.execute);
    expect({ ...tools.search, execute: undefined }).toEqual({ ...search, execute: undefined });
  });

  it("never makes a generator tool asynchronous: the SDK would take the promise for an empty result", async () => {
    const parts = {
      async *execute() {
        yield "first";
        yield "last";
      },
    };
    const { execute } = labelTools({ parts }).parts;
    expect(typeof execute()[Symbol.asyncIterator]).toBe("function");
    expect(execute()).not.toBeInstanceOf(Promise);
  });

  it("keeps a tool that is an instance: its class, its getters, its private fields", async () => {
    class Counter {
      #calls = 0;
      readonly kind = "counter";
      get description() {
        return `called ${this.#calls} times`;
      }
      execute() {
        this.#calls += 1;
        return this.#calls;
      }
    }
    const counter = new Counter();
    const tools = labelTools({ counter });
    expect(tools.counter).toBeInstanceOf(Counter);
    expect(tools.counter.kind).toBe("counter");
    expect(await callTool("counter", tools.counter, {})).toBe(1);
    expect(counter.description).toBe("called 1 times");
  });

  it("has room for a tool of any name", () => {
    const set = JSON.parse('{"__proto__": {"execute": 1}, "constructor": {}}') as Record<string, object>;
    const tools = labelTools(set);
    expect(Object.keys(tools)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(tools)).toBe(Object.prototype);
    expect(Object.keys(labelTools({ toString: search }, {}))).toEqual(["toString"]);
  });

  it.each([
    ["a tool that the set does not have", { serach: {} }, /"serach".*no such tool.*search, ask/],
    ["a name that every object has", { toString: {} }, /"toString".*no such tool/],
    ["a side effect that does not exist", { search: { sideEffect: "reads" } }, /"sideEffect"/],
    ["a wrong definition of a tool without execute", { ask: { sideEffect: "reads" } }, /"sideEffect"/],
  ])("refuses a definition with %s when it is made", (_what, definitions, message) => {
    expect(() => labelTools({ search, ask }, definitions as never)).toThrow(message);
    expect(() => labelTools({ search, ask }, definitions as never)).toThrow(RangeError);
  });

  it.each([undefined, null, "tools"])("refuses %s as a tool set", (tools) => {
    expect(() => labelTools(tools as never)).toThrow(TypeError);
  });
});
