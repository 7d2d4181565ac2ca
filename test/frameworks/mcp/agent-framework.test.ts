/** A client that an agent's framework calls: the framework has a tool span of its own for the same call. */
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { generateText, jsonSchema, type ModelMessage, stepCountIs, type ToolSet, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { beforeEach, describe, expect, it } from "vitest";
import { labelTools } from "../../../src/adapters/ai-sdk.ts";
import { labelClient } from "../../../src/adapters/mcp.ts";
import { type AnyClient, connected, instrumentClients, SDKS } from "./sdks.ts";
import { expectNoOtherLabels, inRequest, inRun, takeSpans, verified } from "./tracing.ts";

instrumentClients();

/** An agent whose model asks for these tools, one after the other. */
const runAgent = (tools: ToolSet, calls: readonly string[]) => {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const turn = (toolName: string | undefined, index: number) => ({
    content:
      toolName === undefined
        ? [{ type: "text" as const, text: "done" }]
        : [{ type: "tool-call" as const, toolCallId: `c${index}`, toolName, input: '{"q":"x"}' }],
    finishReason: {
      unified: toolName === undefined ? ("stop" as const) : ("tool-calls" as const),
      raw: undefined,
    },
    usage,
    warnings: [],
  });
  const turns = [...calls, undefined].map(turn);
  const messages: ModelMessage[] = [{ role: "user", content: "go" }];
  return generateText({
    model: new MockLanguageModelV3({ doGenerate: async () => turns.shift() as never }),
    messages,
    tools,
    stopWhen: stepCountIs(9),
    experimental_telemetry: { isEnabled: true },
  });
};

const tick = () => new Promise((resolve) => setTimeout(resolve, 3));

/** A tool of the framework that calls the server's: the text that came back. */
const remote = (call: () => Promise<Record<string, unknown>>) =>
  tool({
    inputSchema: jsonSchema<{ q: string }>({ type: "object", properties: { q: { type: "string" } } }),
    execute: async () => {
      // The clocks of two spans are a millisecond apart at most; the verifier compares their times.
      await tick();
      const { content } = await call();
      await tick();
      return JSON.stringify(content);
    },
  });

const steps = (spans: readonly ReadableSpan[]) =>
  spans
    .filter((span) => span.attributes["trustabl.step_index"] !== undefined)
    .map((span) => [
      span.name,
      span.attributes["ai.toolCall.name"] ?? span.attributes["traceloop.entity.name"],
      span.attributes["trustabl.step_index"],
      span.attributes["trustabl.tool.attempt"],
    ]);

describe.each(SDKS)("a client of the $row in an agent's framework", (sdk) => {
  beforeEach(() => void takeSpans());
  const definitions = { search: { sideEffect: "read" } } as const;

  /** Runs with a labelled client, and gives the spans of it all. */
  const inAgent = async (
    run: (client: AnyClient) => Promise<unknown>,
    ...fails: string[]
  ): Promise<ReadableSpan[]> => {
    await inRequest(async () => {
      const client = await connected(sdk, labelClient(sdk.newClient(), definitions));
      await inRun(() => run(client));
      await client.close();
    });
    const spans = takeSpans();
    const labelled = spans.filter((span) => ["ai.toolCall", "search.tool"].includes(span.name));
    expectNoOtherLabels(spans, labelled);
    const failed = verified(spans).checks.filter(({ outcome }) => outcome === "fail");
    expect(failed.map(({ id }) => id)).toEqual(fails);
    return spans;
  };

  it("leaves a call alone that the framework's tool labels already", async () => {
    const spans = await inAgent((client) => {
      const search = remote(() => sdk.call(client, "search", { q: "x" }));
      return runAgent(labelTools({ search }), ["search", "search"]);
    });
    expect(spans.filter((span) => span.name === "search.tool")).toHaveLength(2);
    expect(steps(spans)).toEqual([
      ["ai.toolCall", "search", 0, 1],
      ["ai.toolCall", "search", 1, 2],
    ]);
  });

  it("leaves a call alone that is labelled under the server's name and the tool's", async () => {
    const spans = await inAgent((client) => {
      const search = remote(() => sdk.call(client, "search", { q: "x" }));
      return runAgent(labelTools({ demo__search: search }), ["demo__search"]);
    });
    expect(steps(spans)).toEqual([["ai.toolCall", "demo__search", 0, 1]]);
  });

  it("labels its own span where nobody labels the framework's", async () => {
    const spans = await inAgent((client) => {
      const search = remote(() => sdk.call(client, "search", { q: "x" }));
      return runAgent({ search }, ["search", "search"]);
    }, "tool-span-labelled");
    expect(steps(spans)).toEqual([
      ["search.tool", "search", 0, 1],
      ["search.tool", "search", 1, 2],
    ]);
  });

  it("labels calls of their own within a tool of another name", async () => {
    const spans = await inAgent((client) => {
      const research = remote(async () => {
        await sdk.call(client, "search", { q: "x" });
        return sdk.call(client, "search", { q: "x" });
      });
      return runAgent(labelTools({ research }), ["research"]);
    });
    expect(steps(spans)).toEqual([
      ["search.tool", "search", 1, 1],
      ["search.tool", "search", 2, 2],
      ["ai.toolCall", "research", 0, 1],
    ]);
  });
});
