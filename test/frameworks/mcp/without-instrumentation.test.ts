/** Clients that nobody instruments: the only spans are the application's. */
import { SpanKind } from "@opentelemetry/api";
import { beforeEach, describe, expect, it } from "vitest";
import { labelClient, labelServer } from "../../../src/adapters/mcp.ts";
import { canonicalFp } from "../../../src/index.ts";
import { type AnyServer, connected, SDKS } from "./sdks.ts";
import { expectNoOtherLabels, expectPass, heard, inRun, inSpan, labelsOf, takeSpans } from "./tracing.ts";

const definitions = { search: { sideEffect: "read" } } as const;

describe.each(SDKS)("without an instrumentation, a client of the $row", (sdk) => {
  beforeEach(() => void takeSpans());

  it.each([
    ["tools/call search", { "mcp.method.name": "tools/call" }, SpanKind.CLIENT],
    [
      "execute_tool search",
      { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "search" },
      SpanKind.INTERNAL,
    ],
  ] as const)("is labelled on a span of the application's own, %s", async (name, attributes, kind) => {
    const client = await connected(sdk, labelClient(sdk.newClient(), definitions));
    await inRun(async () => {
      for (let call = 0; call < 2; call++) {
        await inSpan(name, attributes, () => sdk.call(client, "search", { q: "x" }), kind);
      }
    });
    await client.close();
    const spans = takeSpans();
    const own = spans.filter((span) => span.name === name);
    expect(own.map((span) => span.attributes["trustabl.tool.attempt"])).toEqual([1, 2]);
    expect(labelsOf(own[0])).toMatchObject({
      "trustabl.tool.side_effect": "read",
      "trustabl.tool.output_fp": canonicalFp({
        content: [{ type: "text", text: "#x-1#" }],
        structuredContent: { search: 1 },
      }),
    });
    expectNoOtherLabels(spans, own);
  });

  it("says what it left out on the span of a function that may return something else", async () => {
    const client = await connected(sdk, labelClient(sdk.newClient(), definitions));
    const messages = await heard(() =>
      inRun(() =>
        inSpan("ai.toolCall", { "ai.toolCall.name": "search" }, () => sdk.call(client, "search", { q: "x" })),
      ),
    );
    await client.close();
    const spans = takeSpans();
    const [own] = spans.filter((span) => span.name === "ai.toolCall");
    expect(labelsOf(own)).toMatchObject({ "trustabl.tool.input_fp": canonicalFp({ q: "x" }) });
    expect(labelsOf(own)).not.toHaveProperty(["trustabl.tool.output_fp"]);
    expect(messages).toEqual([expect.stringContaining("label that function instead")]);
    expectPass(spans);
  });

  it("writes nothing where there is no span for the call, and says so", async () => {
    const server = labelServer(sdk.newServer(), definitions);
    const client = await connected(sdk, labelClient(sdk.newClient(), definitions), server);
    const messages = await heard(() =>
      inRun(() =>
        inSpan("execute_tool other", { "gen_ai.operation.name": "execute_tool" }, () =>
          sdk.call(client, "search", { q: "x" }),
        ),
      ),
    );
    await client.close();
    expectNoOtherLabels(takeSpans(), []);
    expect(messages).toEqual([
      expect.stringContaining('no tool span was found for a call of the tool "search"'),
      expect.stringContaining("was not labelled by its MCP server"),
    ]);
  });

  it("leaves the label to a server of the same process that has a span, and counts once", async () => {
    const server = sdk.newServer();
    const register = server.registerTool.bind(server) as AnyServer["registerTool"];
    server.registerTool = (name: string, config: object, handler: (...parameters: unknown[]) => unknown) =>
      register(name, config, (...parameters: unknown[]) =>
        inSpan(`tools/call ${name}`, { "mcp.method.name": "tools/call" }, async () => handler(...parameters)),
      );
    const client = await connected(sdk, labelClient(sdk.newClient()), labelServer(server, definitions));
    await inRun(async () => {
      await sdk.call(client, "search", { q: "x" });
      await sdk.call(client, "search", { q: "x" });
    });
    await client.close();
    const spans = takeSpans();
    const own = spans.filter((span) => span.name === "tools/call search");
    expectNoOtherLabels(spans, own);
    expect(
      own.map(({ attributes }) => [attributes["trustabl.step_index"], attributes["trustabl.tool.attempt"]]),
    ).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expectPass(spans);
  });
});
