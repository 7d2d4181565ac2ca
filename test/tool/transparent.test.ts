/** What the wrapper leaves to the application: its own context, its shared objects, its errors, its spans' ends. */
import { AsyncLocalStorage } from "node:async_hooks";
import { SpanStatusCode, trace } from "@opentelemetry/api";
import { beforeEach, describe, expect, it } from "vitest";
import { canonicalFp, withRun, wrapTool } from "../../src/index.ts";
import { withHandoff } from "../../src/tracker/index.ts";
import { hearDiagnostics } from "../support/diagnostics.ts";
import { sdk2 } from "../support/sdks-here.ts";
import { type FinishedSpan, inSpan, labelsOf, toolSpanAttributes, useTracing } from "../support/tracing.ts";

const tracing = useTracing(sdk2);
let heard: string[];
beforeEach(() => {
  heard = hearDiagnostics();
});

/** Calls a tool as a framework does, with tracing on or off. */
const frameworks = {
  on: <Result>(call: () => Result): Promise<Awaited<Result>> =>
    inSpan(tracing.tracer, "invoke_agent helper", {}, (root) =>
      withRun(root, async () =>
        inSpan(tracing.tracer, "execute_tool search", toolSpanAttributes("search"), call),
      ),
    ),
  off: async <Result>(call: () => Result): Promise<Awaited<Result>> =>
    await withRun(undefined, async () => await call()),
};
const toolSpan = () => tracing.finished().find(({ name }) => name.startsWith("execute_tool"));

describe.each(["on", "off"] as const)("with tracing %s, a wrapped tool", (state) => {
  const framework = frameworks[state];

  it("has its caller's own asynchronous store, before and after an await", async () => {
    const store = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const search = wrapTool({ name: "search" }, async () => {
      seen.push(store.getStore());
      await Promise.resolve();
      seen.push(store.getStore());
    });
    await store.run("the user's", () => framework(() => search()));
    expect(seen).toEqual(["the user's", "the user's"]);
  });

  it("has it in each step of a generator too: its reader's", async () => {
    const store = new AsyncLocalStorage<string>();
    const search = wrapTool({ name: "search" }, async function* () {
      yield store.getStore();
      yield store.getStore();
    });
    const seen = await framework(async () => {
      const stream = withHandoff(() => search());
      return [
        (await store.run("first", () => stream.next())).value,
        (await store.run("second", () => stream.next())).value,
      ];
    });
    expect(seen).toEqual(["first", "second"]);
  });

  it("has its caller's `this` and the very objects that it was called with, and answers at once where it did", async () => {
    const parameters = [{ q: "x" }, { toolCallId: "call-1" }];
    const desk = { name: "desk" };
    const seen: unknown[] = [];
    const search = wrapTool({ name: "search" }, function (this: unknown, ...given: unknown[]) {
      seen.push(this, ...given);
      return "at once";
    });
    await framework(() => expect(search.apply(desk, parameters)).toBe("at once"));
    expect(seen.map((value, index) => value === [desk, ...parameters][index])).toEqual([true, true, true]);
  });

  it("writes nothing on what calls share: frozen options, context and parameters", async () => {
    const shared = Object.freeze({ context: Object.freeze({ spans: Object.freeze([]) }) });
    const tools = ["first", "second"].map((name) =>
      wrapTool({ name }, async (args: { ms: number }, options: object) => {
        await new Promise((done) => setTimeout(done, args.ms));
        return options === shared ? name : "copied";
      }),
    );
    const args = [Object.freeze({ ms: 5 }), Object.freeze({ ms: 1 })] as const;
    const call = (index: 0 | 1) => tools[index]?.(args[index], shared);
    expect(await framework(() => Promise.all([call(0), call(1)]))).toEqual(["first", "second"]);
  });
});

describe("two calls at the same time that share one options object", () => {
  it.each([
    ["of two tools", ["first", "second"]],
    ["of one tool", ["search", "search"]],
  ])(
    "%s have the labels of their own call each, also when they end in the other order",
    async (_of, names) => {
      const options = Object.freeze({ toolCallId: "the same" });
      let release = () => {};
      const released = new Promise<void>((done) => (release = done));
      const first = async (args: { n: number }, _options: object) => released.then(() => args.n);
      const second = async (args: { n: number }, _options: object) => args.n;
      await Promise.all(
        names.map(async (name, n) => {
          const tool = wrapTool({ name }, n === 0 ? first : second);
          const attributes = { ...toolSpanAttributes(name, "the same"), n };
          await inSpan(tracing.tracer, `execute_tool ${name}`, attributes, () => tool({ n }, options));
          release();
        }),
      );
      expect(tracing.finished().map((span) => [span.attributes.n, labelsOf(span)])).toEqual(
        [1, 0].map((n) => [
          n,
          { "trustabl.tool.input_fp": canonicalFp({ n }), "trustabl.tool.output_fp": canonicalFp(n) },
        ]),
      );
    },
  );
});

describe("a tool that throws what nobody may see", () => {
  const secret = "card 4111 1111 1111 1111";
  const failures: readonly (readonly [string, () => unknown])[] = [
    ["an error", () => new Error(secret)],
    ["an error with a cause", () => new Error("failed", { cause: new Error(secret) })],
    ["an error with a status", () => Object.assign(new Error(secret), { status: 402, body: secret })],
    ["text", () => secret],
    ["an error whose name is the secret", () => Object.assign(new Error("failed"), { name: secret })],
  ];
  const shown = (span: FinishedSpan | undefined) =>
    JSON.stringify([span?.name, span?.attributes, span?.status, span?.events]);

  it.each(failures)("leaves nothing of %s on its span, nor in what diag is told", async (_what, failure) => {
    for (const tool of [
      wrapTool({ name: "search" }, () => {
        throw failure();
      }),
      wrapTool({ name: "search" }, async () => {
        throw failure();
      }),
    ]) {
      await frameworks.on(async () => {
        try {
          await tool();
        } catch {}
      });
    }
    const spans = tracing.finished();
    expect(spans.filter(({ name }) => name.startsWith("execute_tool"))).toHaveLength(2);
    for (const span of spans) {
      expect(shown(span)).not.toContain("4111");
      expect(span.events).toEqual([]);
      expect(span.status).toEqual({ code: SpanStatusCode.UNSET });
    }
    expect(labelsOf(toolSpan())["trustabl.tool.output_fp"]).toBe(canonicalFp(null));
    expect(heard.join()).not.toContain("4111");
  });

  it("keeps its labels where the framework says in the end that all was well", async () => {
    const search = wrapTool({ name: "search" }, async () => {
      throw Object.assign(new Error("no"), { status: 503 });
    });
    await frameworks.on(async () => {
      const span = trace.getActiveSpan();
      await search().catch(() => {});
      span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.setStatus({ code: SpanStatusCode.OK });
    });
    expect(toolSpan()?.status.code).toBe(SpanStatusCode.OK);
    expect(labelsOf(toolSpan())["trustabl.tool.error_class"]).toBe("5xx");
  });
});
