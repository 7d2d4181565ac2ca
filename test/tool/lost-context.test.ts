/** Calls whose context is lost: no context manager, one that does not follow an `await`, a runtime that drops it. */
import {
  type Context,
  type ContextManager,
  context,
  ROOT_CONTEXT,
  type Span,
  trace,
} from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canonicalFp, findToolSpan, markToolSpan, Run, wrapTool } from "../../src/index.ts";
import { ToolSpanTracker } from "../../src/tracker/index.ts";
import { hearDiagnostics, ownMessages } from "../support/diagnostics.ts";
import { sdk2 } from "../support/sdks-here.ts";
import { labelsOf, type TestTracing, toolSpanAttributes, useContextManager } from "../support/tracing.ts";

/** The context of the web SDK: it follows calls, and no `await`. */
class StackContextManager implements ContextManager {
  #current = ROOT_CONTEXT;
  active = () => this.#current;
  with<Args extends unknown[], Fn extends (...args: Args) => ReturnType<Fn>>(
    next: Context,
    fn: Fn,
    self?: ThisParameterType<Fn>,
    ...args: Args
  ): ReturnType<Fn> {
    const before = this.#current;
    this.#current = next;
    try {
      return fn.call(self, ...args);
    } finally {
      this.#current = before;
    }
  }
  bind = <Target>(_context: Context, target: Target): Target => target;
  enable = () => this;
  disable = () => this;
}

let tracing: TestTracing;
let heard: string[];
const open = (...processors: unknown[]) => {
  tracing = sdk2.open({ processors });
};
beforeEach(() => {
  context.disable();
  heard = hearDiagnostics();
});
afterEach(() => tracing.close());

const startTool = (name: string, callId?: string) =>
  tracing.tracer.startSpan(`execute_tool ${name}`, { attributes: toolSpanAttributes(name, callId) });
const within = <Result>(span: Span, fn: () => Result) =>
  context.with(trace.setSpan(context.active(), span), fn);
const late = async <Result>(fn: () => Result) => {
  await new Promise((done) => setTimeout(done, 1));
  return fn();
};
const expectedLabels = {
  "trustabl.tool.input_fp": canonicalFp({ q: "x" }),
  "trustabl.tool.output_fp": canonicalFp("found"),
};

describe.each([
  ["no context manager", () => {}],
  ["a context that ends at an await", () => void context.setGlobalContextManager(new StackContextManager())],
])("with %s", (_how, install) => {
  beforeEach(install);

  it("a span that is given is labelled, also after an await", async () => {
    open();
    const given = startTool("search");
    const search = wrapTool({ name: "search", span: given }, async (_args: object) => late(() => "found"));
    await within(given, () => late(() => search({ q: "x" })));
    given.end();
    const marked = startTool("search");
    await within(marked, () => late(() => markToolSpan(marked, { args: { q: "x" }, result: "found" })));
    marked.end();
    expect(tracing.finished().map(labelsOf)).toEqual([expectedLabels, expectedLabels]);
  });

  it("a call whose span nobody names is not labelled, and diag says why once", async () => {
    open();
    const span = startTool("search");
    const search = wrapTool({ name: "search", run: new Run() }, async (_args: object) => "found");
    for (let call = 0; call < 2; call += 1) {
      expect(await within(span, () => late(() => search({ q: "x" })))).toBe("found");
    }
    expect(await within(span, () => late(() => findToolSpan({ name: "search" })))).toBeUndefined();
    span.end();
    expect(tracing.finished().map(labelsOf)).toEqual([{}]);
    expect(ownMessages(heard)).toEqual([expect.stringContaining("no span is active")]);
  });

  it("a tracker still finds the span of the call by its id", async () => {
    open(new ToolSpanTracker());
    const [span, other] = [startTool("search", "call-1"), startTool("search", "call-2")];
    const search = wrapTool({ name: "search" }, async (_args: object, _options: object) => "found");
    await within(other, () => late(() => search({ q: "x" }, { toolCallId: "call-1" })));
    span.end();
    other.end();
    expect(tracing.finished().map(labelsOf)).toEqual([expectedLabels, {}]);
  });
});

describe("an observation that a callback started and never made active", () => {
  it("is found by its call id alone, and no other in its place", () => {
    useContextManager();
    open(new ToolSpanTracker());
    const [request, outer, inner] = [
      tracing.tracer.startSpan("GET /chat"),
      startTool("search", "outer"),
      startTool("search", "inner"),
    ];
    within(request, () => {
      // Both spans are roots of their own here, which is how such instrumentations lose their parents.
      expect(findToolSpan({ name: "search" })).toBeUndefined();
      expect(findToolSpan({ name: "search", callId: "unknown" })).toBeUndefined();
    });
    within(outer, () => {
      expect(findToolSpan({ name: "search", callId: "inner" })).toBeUndefined();
      expect(findToolSpan({ name: "search", callId: "outer" })).toBe(outer);
    });
    within(inner, () => expect(findToolSpan({ name: "other" })).toBeUndefined());
  });
});

describe("a query that runs when it is awaited", () => {
  it("is run once, and its rows are labelled on its call's span, though the context is lost by then", async () => {
    useContextManager();
    open();
    let runs = 0;
    const find = wrapTool({ name: "search" }, (_args: object) => ({
      // biome-ignore lint/suspicious/noThenProperty: this is what query builders do
      then: (done: (rows: string) => unknown) => {
        runs += 1;
        return Promise.resolve(done("found"));
      },
    }));
    const span = startTool("search");
    const query = within(span, () => find({ q: "x" }));
    const elsewhere = tracing.tracer.startSpan("execute_tool search", {
      attributes: toolSpanAttributes("search"),
    });
    await within(elsewhere, () => context.with(ROOT_CONTEXT, async () => await query));
    span.end();
    elsewhere.end();
    expect(runs).toBe(1);
    expect(tracing.finished().map(labelsOf)).toEqual([expectedLabels, {}]);
  });
});
