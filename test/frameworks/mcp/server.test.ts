/** What has to hold for the servers of both SDKs. The clients that call them are traced by Traceloop. */
import { context, SpanKind, TraceFlags, trace } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { beforeEach, describe, expect, it } from "vitest";
import { labelClient, labelServer } from "../../../src/adapters/mcp.ts";
import { canonicalFp, wrapTool } from "../../../src/index.ts";
import { type AnyServer, connected, instrumentClients, SDKS } from "./sdks.ts";
import { registerTools } from "./tools.mjs";
import { expectNoOtherLabels, heard, inRun, inSpan, labelsOf, takeSpans } from "./tracing.ts";

instrumentClients();

type Handler = (...parameters: unknown[]) => unknown;

/** Puts a layer around every handler, as server-side instrumentations do. */
function layered(
  server: AnyServer,
  layer: (name: string, call: () => Promise<unknown>) => Promise<unknown>,
): AnyServer {
  const register = server.registerTool.bind(server);
  server.registerTool = (name: string, config: object, handler: Handler) =>
    register(name, config, (...parameters: unknown[]) => layer(name, async () => handler(...parameters)));
  return server;
}

/** A server whose own spans are of this kind. */
const traced = (server: AnyServer, kind: SpanKind = SpanKind.SERVER): AnyServer =>
  layered(server, (name, call) =>
    inSpan(`tools/call ${name}`, { "mcp.method.name": "tools/call", "gen_ai.tool.name": name }, call, kind),
  );

const definitions = { search: { sideEffect: "read" } } as const;
const labelledServer = (server: AnyServer): AnyServer => labelServer(server, definitions);

const named = (spans: readonly ReadableSpan[], name: string): ReadableSpan[] =>
  spans.filter((span) => span.name === name);

describe.each(SDKS)("a server: $row", (sdk) => {
  beforeEach(() => void takeSpans());

  it.each([SpanKind.SERVER, SpanKind.INTERNAL])(
    "is labelled on its own span in memory, of kind %i, and the caller's span is not",
    async (kind) => {
      const server = labelledServer(traced(sdk.newServer(), kind));
      const client = await connected(sdk, sdk.newClient(), server);
      await inRun(async () => {
        await Promise.all([1, 2, 3].map(() => sdk.call(client, "search", { q: "x" })));
      });
      await client.close();
      const spans = takeSpans();
      const own = named(spans, "tools/call search");
      expect(own.map((span) => span.attributes["trustabl.tool.attempt"]).sort()).toEqual([1, 2, 3]);
      expectNoOtherLabels(spans, own);
      expect(named(spans, "search.tool")).toHaveLength(3);
      expect(labelsOf(own[0])).toMatchObject({
        "trustabl.tool.input_fp": canonicalFp({ q: "x" }),
        "trustabl.tool.side_effect": "read",
      });
      const outputs = new Set(own.map((span) => span.attributes["trustabl.tool.output_fp"]));
      expect(outputs).toContain(
        canonicalFp({ content: [{ type: "text", text: "#x-1#" }], structuredContent: { search: 1 } }),
      );
      expect(outputs.size).toBe(3);
    },
  );

  it.each([SpanKind.SERVER, SpanKind.INTERNAL])(
    "is labelled on its own span over HTTP, of kind %i",
    async (kind) => {
      const served = await sdk.http((server) => registerTools(labelledServer(traced(server, kind))));
      const client = sdk.newClient();
      await inRun(async () => {
        await client.connect(served.transport);
        await sdk.call(client, "search", { q: "x" });
        await sdk.call(client, "throw", { q: "x" });
        await client.close();
      });
      served.close();
      const spans = takeSpans();
      const [own] = named(spans, "tools/call search");
      const [thrown] = named(spans, "tools/call throw");
      expectNoOtherLabels(spans, [own, thrown] as ReadableSpan[]);
      // The run is the client's, in another process as a rule.
      expect(Object.keys(labelsOf(own)).sort()).toEqual([
        "trustabl.tool.input_fp",
        "trustabl.tool.output_fp",
        "trustabl.tool.side_effect",
      ]);
      expect(labelsOf(thrown)).toMatchObject({
        "trustabl.tool.error_class": "5xx",
        "trustabl.tool.output_fp": canonicalFp(null),
      });
    },
  );

  it("writes nothing on the span of its caller in memory, and says so", async () => {
    const server = labelledServer(sdk.newServer());
    const client = await connected(sdk, sdk.newClient(), server);
    const messages = await heard(() => inRun(() => sdk.call(client, "search", { q: "x" })));
    await client.close();
    expect(named(takeSpans(), "search.tool").map(labelsOf)).toEqual([{}]);
    expect(messages).toEqual([expect.stringContaining("the active span may be the caller's")]);
  });

  it.each([SpanKind.CLIENT, SpanKind.INTERNAL, SpanKind.SERVER])(
    "writes nothing on a span of the caller's own, of kind %i, that looks like a server's",
    async (kind) => {
      const server = labelledServer(sdk.newServer());
      const [clientSide, serverSide] = sdk.inMemory() as [object, { onmessage?(message: object): void }];
      registerTools(server);
      await server.connect(serverSide);
      void clientSide;
      const messages = await heard(() =>
        inSpan(
          "tools/call search",
          { "mcp.method.name": "tools/call" },
          async () => {
            serverSide.onmessage?.({
              jsonrpc: "2.0",
              id: 7,
              method: "tools/call",
              params: { name: "search", arguments: { q: "x" } },
            });
            await new Promise((resolve) => setTimeout(resolve, 30));
          },
          kind,
        ),
      );
      expect(takeSpans().map(labelsOf)).toEqual([{}]);
      expect(messages).toEqual([expect.stringContaining("the active span may be the caller's")]);
    },
  );

  it("writes nothing without a span, or with a stand-in for a span of another process", async () => {
    const spanContext = {
      traceId: "0af7651916cd43dd8448eb211c80319c",
      spanId: "b7ad6b7169203331",
      traceFlags: TraceFlags.SAMPLED,
      isRemote: true,
    };
    const layers = {
      "no span is active": (call: () => Promise<unknown>) => call(),
      "the active span is the caller's, in another process": (call: () => Promise<unknown>) =>
        context.with(trace.setSpanContext(context.active(), spanContext), call),
    };
    for (const [reason, layer] of Object.entries(layers)) {
      const served = await sdk.http((server) =>
        registerTools(labelledServer(layered(server, (_name, call) => layer(call)))),
      );
      const client = sdk.newClient();
      await client.connect(served.transport);
      const messages = await heard(async () => {
        expect(await sdk.call(client, "search", { q: "x" })).toMatchObject({ content: [{ text: "#x-1#" }] });
      });
      await client.close();
      served.close();
      expectNoOtherLabels(takeSpans(), []);
      expect(messages).toEqual([expect.stringContaining(reason)]);
    }
  });

  it("leaves a call to a labelled client of the same process", async () => {
    const server = labelledServer(traced(sdk.newServer()));
    await inRun(async () => {
      const client = await connected(sdk, labelClient(sdk.newClient(), definitions), server);
      await sdk.call(client, "search", { q: "x" });
      await sdk.call(client, "search", { q: "x" });
      await client.close();
    });
    const spans = takeSpans();
    const labelled = named(spans, "search.tool");
    expectNoOtherLabels(spans, labelled);
    expect(labelled.map((span) => span.attributes["trustabl.step_index"])).toEqual([0, 1]);
  });

  it("counts a call once whose function is wrapped as well", async () => {
    const server = labelServer(traced(sdk.newServer()), { add: { sideEffect: "read" } });
    const add = wrapTool({ name: "add", sideEffect: "pure" }, async () => ({ content: [] }));
    server.registerTool("add", {}, () => add());
    const client = await connected(sdk, sdk.newClient(), server);
    await inRun(() => sdk.call(client, "add", {}));
    await client.close();
    const [own] = named(takeSpans(), "tools/call add");
    expect(labelsOf(own)).toMatchObject({
      "trustabl.step_index": 0,
      "trustabl.tool.attempt": 1,
      "trustabl.tool.side_effect": "pure",
    });
  });
});

describe("a server of the SDK 1", () => {
  it("is labelled where tools are registered the older way, whatever its parameters", async () => {
    const [sdk] = SDKS as [(typeof SDKS)[0]];
    takeSpans();
    const server = sdk.newServer() as AnyServer & { tool(...parameters: unknown[]): unknown };
    const tool = server.tool.bind(server);
    server.tool = (name: string, handler: Handler) =>
      tool(name, (...parameters: unknown[]) =>
        inSpan(`tools/call ${name}`, { "mcp.method.name": "tools/call" }, async () => handler(...parameters)),
      );
    labelServer(server);
    server.tool("older", () => ({ content: [] }));
    const client = await connected(sdk, sdk.newClient(), server);
    await inRun(() => sdk.call(client, "older", {}));
    await client.close();
    const spans = takeSpans();
    const own = named(spans, "tools/call older");
    expect(labelsOf(own[0])).toMatchObject({ "trustabl.tool.input_fp": canonicalFp({}) });
    expectNoOtherLabels(spans, own);
  });
});
