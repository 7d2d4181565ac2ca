import { context, trace } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { labelClient } from "../../../src/adapters/mcp.ts";
import { canonicalFp, Run, wrapTool } from "../../../src/index.ts";
import { contextWithRun } from "../../../src/run/run-context.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import { sdk2 } from "../../support/sdks-here.ts";
import { inSpan, labelsOf, toolSpanAttributes, useTracing } from "../../support/tracing.ts";
import { FakeClient, FakeTransport } from "./connection.ts";

const tracing = useTracing(sdk2);

/** A labelled client, connected to an end that the test plays. */
async function connected(...parameters: never[]): Promise<{ client: FakeClient; transport: FakeTransport }> {
  const client = labelClient(new FakeClient(), ...parameters);
  const transport = new FakeTransport();
  await client.connect(transport);
  return { client, transport };
}

const run = new Run("run");
/** Calls a tool inside a span of its own and within a run. */
const inToolSpan = <Result>(name: string, fn: () => Promise<Result>): Promise<Result> =>
  context.with(contextWithRun(context.active(), { run, recording: true, traceId: undefined }), () =>
    inSpan(tracing.tracer, `execute_tool ${name}`, toolSpanAttributes(name), fn),
  );

const firstLabels = () => labelsOf(tracing.finished()[0]);
const text = (value: string) => ({ content: [{ type: "text", text: value }] });

/** A span that costs nothing. */
class BareSpan {
  readonly name = "execute_tool search";
  readonly attributes: Record<string, unknown> = {};
  isRecording = () => true;
  addEvent(): void {}
  setAttribute(name: string, value: unknown): void {
    this.attributes[name] = value;
  }
}

describe("labelClient", () => {
  it("refuses a wrong definition, a client that is labelled or frozen, and what is no client", () => {
    expect(() => labelClient(new FakeClient(), { x: { sideEffect: "none" as never } })).toThrow(RangeError);
    expect(() => labelClient(new FakeClient(), {}, { trustToolAnnotations: 1 as never })).toThrow(TypeError);
    expect(() => labelClient(labelClient(new FakeClient()))).toThrow(TypeError);
    expect(() => labelClient(Object.freeze(new FakeClient()))).toThrow(TypeError);
    expect(() => labelClient({} as never)).toThrow(TypeError);
  });

  it("leaves the class and other clients alone", () => {
    const { request } = FakeClient.prototype;
    labelClient(new FakeClient());
    expect(FakeClient.prototype.request).toBe(request);
    expect(Object.keys(labelClient(new FakeClient()))).toEqual(Object.keys(new FakeClient()));
  });

  it("finds the span of an instrumentation that patches the class later", async () => {
    const { client, transport } = await connected();
    const { request } = FakeClient.prototype;
    FakeClient.prototype.request = function (...parameters) {
      const attributes = toolSpanAttributes("search");
      return inSpan(tracing.tracer, "later", attributes, () => Reflect.apply(request, this, parameters));
    };
    try {
      const call = client.callTool("search", {});
      transport.onmessage?.({ id: 0, result: text("a") });
      await call;
    } finally {
      FakeClient.prototype.request = request;
    }
    expect(tracing.finished().map(({ name }) => name)).toEqual(["later"]);
    expect(firstLabels()).toMatchObject({ "trustabl.tool.output_fp": canonicalFp(text("a")) });
  });

  it("tells calls apart by the id that JSON-RPC gives them, in whatever order and form answers come", async () => {
    const { client, transport } = await connected();
    const calls = ["a", "b", "c"].map((q) => inToolSpan("search", () => client.callTool("search", { q })));
    transport.onmessage?.({ id: 2, result: text("c") });
    transport.onmessage?.({ id: 0, result: text("a") });
    transport.onmessage?.({ id: 1, result: text("b") });
    expect(await Promise.all(calls)).toEqual([text("a"), text("b"), text("c")]);
    const labels = tracing.finished().map(labelsOf);
    for (const q of ["a", "b", "c"]) {
      expect(labels.find((own) => own["trustabl.tool.input_fp"] === canonicalFp({ q }))).toMatchObject({
        "trustabl.tool.output_fp": canonicalFp(text(q)),
      });
    }
  });

  it("fingerprints what the tool returned, without what only the transfer needs", async () => {
    const { client, transport } = await connected();
    const call = inToolSpan("search", () => client.callTool("search", {}));
    const result = { ...text("a"), _meta: { at: 1 }, isError: false, resultType: "complete" };
    transport.onmessage?.({ id: 0, result });
    expect(await call).toBe(result);
    expect(firstLabels()["trustabl.tool.output_fp"]).toBe(canonicalFp(text("a")));
  });

  it("does not take a task or a question for the result, and says so", async () => {
    const messages = hearDiagnostics();
    for (const [id, result] of [
      { task: { taskId: "t" } },
      { resultType: "input_required", inputRequests: {} },
    ].entries()) {
      const { client, transport } = await connected();
      const call = inToolSpan(`slow_${id}`, () => client.callTool(`slow_${id}`, {}));
      transport.onmessage?.({ id: 0, result });
      await call;
    }
    for (const span of tracing.finished()) {
      expect(labelsOf(span)).toHaveProperty(["trustabl.tool.input_fp"]);
      expect(labelsOf(span)).not.toHaveProperty(["trustabl.tool.output_fp"]);
    }
    expect(
      ownMessages(messages).filter((message) => message.includes("by a task or by a question")),
    ).toHaveLength(2);
  });

  it("classifies a request that its client gave up on without a word to the server", async () => {
    for (const [code, aborted] of [
      [-32001, false],
      ["REQUEST_TIMEOUT", false],
      ["REQUEST_TIMEOUT", true],
      [-32000, false],
    ] as const) {
      const { client } = await connected();
      const signal = aborted ? AbortSignal.abort() : new AbortController().signal;
      const call = inToolSpan("search", () => client.callTool("search", {}, { signal }));
      client.reject(0, { code });
      await expect(call).rejects.toThrow("failed");
    }
    expect(tracing.finished().map((span) => labelsOf(span)["trustabl.tool.error_class"])).toEqual([
      "timeout",
      "timeout",
      undefined,
      undefined,
    ]);
  });

  it("takes a request whose stream was closed for cancelled", async () => {
    const { client, transport } = await connected();
    const abort = new AbortController();
    const call = inToolSpan("search", () => client.callTool("search", {}, { requestSignal: abort.signal }));
    abort.abort();
    transport.onmessage?.({ id: 0, result: text("late") });
    await call;
    expect(firstLabels()).toMatchObject({
      "trustabl.tool.error_class": "timeout",
      "trustabl.tool.output_fp": canonicalFp(null),
    });
  });

  it("is not disturbed by messages of any form", async () => {
    const { client, transport } = await connected({} as never, { trustToolAnnotations: true } as never);
    const listed = client.request({ method: "tools/list" });
    const call = inToolSpan("search", () => client.callTool("search", {}));
    const getter = Object.create(null, { id: { get: () => expect.unreachable() } }) as object;
    for (const message of [
      undefined,
      null,
      1,
      "x",
      [],
      {},
      { id: 7, result: 1 },
      { id: {}, error: 1 },
      getter,
    ]) {
      try {
        transport.onmessage?.(message);
      } catch {
        // The client's own complaint.
      }
    }
    await transport.send(undefined as never);
    await transport.send({ method: "notifications/cancelled" });
    const tools = [
      null,
      1,
      {},
      { name: 1 },
      { name: "search", annotations: null },
      { name: "__proto__", annotations: 7 },
    ];
    transport.onmessage?.({ id: 0, result: { tools } });
    transport.onmessage?.({ id: 1, result: text("a") });
    await Promise.all([listed, call]);
    expect(firstLabels()).toMatchObject({ "trustabl.tool.output_fp": canonicalFp(text("a")) });
  });

  it.each([
    [{ readOnlyHint: true }, "read"],
    [{ readOnlyHint: true, destructiveHint: true }, undefined],
    [{ destructiveHint: true, idempotentHint: true }, "irreversible"],
    [{ destructiveHint: false }, undefined],
    [{ destructiveHint: false, openWorldHint: false }, "write"],
    [{ readOnlyHint: "true" }, undefined],
    [{}, undefined],
  ])("reads the hints %j as %s", async (annotations, sideEffect) => {
    const { client, transport } = await connected({} as never, { trustToolAnnotations: true } as never);
    const listed = client.request({ method: "tools/list" });
    transport.onmessage?.({ id: 0, result: { tools: [{ name: "search", annotations }] } });
    await listed;
    const call = inToolSpan("search", () => client.callTool("search", {}));
    transport.onmessage?.({ id: 1, result: text("a") });
    await call;
    expect(firstLabels()["trustabl.tool.side_effect"]).toBe(sideEffect);
  });

  it("labels nothing of another client on the same connection, and of a request without a name", async () => {
    const { client, transport } = await connected();
    const calls = inToolSpan("search", async () => {
      const asked = Promise.all([client.callTool("", {}), client.callTool(7 as never, {})]);
      await transport.send({ id: 9, method: "tools/call", params: { name: "search" } } as never);
      return asked;
    });
    for (const id of [0, 1, 9]) transport.onmessage?.({ id, result: text("a") });
    await calls;
    expect(firstLabels()).toEqual({});
  });

  it("lets a wrapped function in a server of this process label the call, once", async () => {
    const { client, transport } = await connected();
    const search = wrapTool({ name: "search", sideEffect: "pure" }, async (_args: object) => "wrapped");
    const send = transport.send.bind(transport);
    transport.send = async (message) => {
      await send(message);
      await search({ q: "x" });
      transport.onmessage?.({ id: 0, result: text("a") });
    };
    // Labelled last, so that the server below runs where the message is sent.
    const steps = run.nextStep();
    const call = inToolSpan("search", () => client.callTool("search", { q: "x" }));
    await call;
    expect(run.nextStep()).toBe(steps + 2);
  });

  it("forgets the oldest of too many open calls, and says so", async () => {
    const messages = hearDiagnostics();
    const { client, transport } = await connected();
    const spans = Array.from({ length: 10_001 }, () => new BareSpan());
    const calls = spans.map((span) =>
      context.with(trace.setSpan(context.active(), span as never), () => client.callTool("search", {})),
    );
    for (const id of calls.keys()) transport.onmessage?.({ id, result: text("a") });
    await Promise.all(calls);
    expect(spans.map((span) => "trustabl.tool.output_fp" in span.attributes).indexOf(true)).toBe(1);
    expect(ownMessages(messages)).toContainEqual(expect.stringContaining("calls of an MCP client are open"));
  });
});
