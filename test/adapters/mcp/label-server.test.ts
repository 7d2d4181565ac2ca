import { context, SpanKind, trace } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { labelServer } from "../../../src/adapters/mcp.ts";
import { canonicalFp } from "../../../src/index.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import { sdk2 } from "../../support/sdks-here.ts";
import { inSpan, labelsOf, toolSpanAttributes, useTracing } from "../../support/tracing.ts";
import { FakeTransport } from "./connection.ts";

const tracing = useTracing(sdk2);

type Handler = (...parameters: unknown[]) => unknown;

/** Keeps its handlers, as both SDKs do. */
class FakeServer {
  readonly handlers = new Map<string, Handler>();
  readonly server = {
    connect: async (transport: FakeTransport) => {
      transport.onmessage ??= () => {};
    },
  };

  registerTool(name: string, _config: object, handler: Handler): void {
    this.handlers.set(name, handler);
  }

  call(name: string, ...parameters: unknown[]): unknown {
    return this.handlers.get(name)?.(...parameters);
  }
}

const extra = { signal: new AbortController().signal, requestId: 1 };

/** Runs within a span that looks like the server's own, after a message has arrived. */
async function inServerSpan(server: FakeServer, call: () => unknown): Promise<unknown> {
  const transport = new FakeTransport();
  await server.server.connect(transport);
  transport.onmessage?.({ id: 1, method: "tools/call" });
  return inSpan(tracing.tracer, "execute_tool search", toolSpanAttributes("search"), call);
}

const labels = () => labelsOf(tracing.finished()[0]);

describe("labelServer", () => {
  it("refuses a wrong definition, a server that is labelled already, and what is no server", () => {
    expect(() => labelServer(new FakeServer(), { x: { sideEffect: "none" as never } })).toThrow(RangeError);
    expect(() => labelServer(labelServer(new FakeServer()))).toThrow(TypeError);
    expect(() => labelServer({} as never)).toThrow(TypeError);
  });

  it("leaves handlers as they are to the SDK: parameters, result, error, being a function or not", async () => {
    const server = labelServer(new FakeServer());
    const failure = new Error("no");
    const seen: unknown[] = [];
    const result = { content: [] };
    const handler = Object.assign(
      (...parameters: unknown[]) => {
        seen.push(parameters);
        return result;
      },
      { mark: 1 },
    );
    server.registerTool("search", {}, handler);
    server.registerTool("fail", {}, () => {
      throw failure;
    });
    const task = { createTask: () => {} };
    server.registerTool("task", {}, task as never);
    expect(server.handlers.get("task")).toBe(task);
    expect(server.handlers.get("search")).toHaveProperty("mark", 1);
    const args = { q: "x" };
    expect(await inServerSpan(server, () => server.call("search", args, extra))).toBe(result);
    expect(seen).toEqual([[args, extra]]);
    expect(() => server.call("fail", {}, extra)).toThrow(failure);
  });

  it.each([
    ["arguments before the rest", [{ q: "x" }, extra], { q: "x" }],
    ["arguments alone, as an instrumentation may hand them on", [{ q: "x" }], { q: "x" }],
    ["no arguments in SDK 1", [extra], {}],
    ["no arguments in SDK 2", [{ mcpReq: extra }], {}],
    ["arguments that look like the rest", [{ signal: {}, mcpReq: {} }], { signal: {}, mcpReq: {} }],
    ["nothing", [], {}],
  ])("fingerprints %s", async (_case, parameters, args) => {
    const server = labelServer(new FakeServer());
    server.registerTool("search", {}, () => ({ content: [], _meta: { at: 1 } }));
    await inServerSpan(server, () => server.call("search", ...parameters));
    expect(labels()).toMatchObject({
      "trustabl.tool.input_fp": canonicalFp(args),
      "trustabl.tool.output_fp": canonicalFp({ content: [] }),
    });
  });

  it("does not take a span of unknown age for its own, unless it is of the kind server", async () => {
    for (const kind of [SpanKind.INTERNAL, SpanKind.SERVER]) {
      const messages = hearDiagnostics();
      const server = labelServer(new FakeServer());
      server.registerTool("search", {}, () => ({ content: [] }));
      const span = tracing.tracer.startSpan("tools/call search", {
        kind,
        attributes: { "mcp.method.name": "tools/call" },
      });
      context.with(trace.setSpan(context.active(), span), () => server.call("search", {}, extra));
      span.end();
      const own = kind === SpanKind.SERVER;
      expect(Object.keys(labelsOf(tracing.finished().at(-1))).length > 0).toBe(own);
      expect(ownMessages(messages).some((message) => message.includes("may be the caller's"))).toBe(!own);
    }
  });
});
