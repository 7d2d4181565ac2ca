/** What has to hold for the clients of both SDKs, on Traceloop's spans. */
import { context, ROOT_CONTEXT } from "@opentelemetry/api";
import { suppressTracing } from "@opentelemetry/core";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { labelClient, type McpToolDefinitions } from "../../../src/adapters/mcp.ts";
import { canonicalFp } from "../../../src/index.ts";
import { scenario } from "../scenario.ts";
import { type AnyClient, connected, instrumentClients, SDKS } from "./sdks.ts";
import { registerTools } from "./tools.mjs";
import { expectNoOtherLabels, expectPass, heard, inRequest, inRun, labelsOf, takeSpans } from "./tracing.ts";

instrumentClients();

const definitions: McpToolDefinitions = {
  search: { sideEffect: "read" },
  find_nothing: {
    isEmpty: ({ structuredContent }) =>
      (structuredContent as { found?: unknown[] } | undefined)?.found?.length === 0,
  },
  refuse: {
    sideEffect: "irreversible",
    errorClass: (_error, result) => (isRefusal(result) ? "auth" : undefined),
  },
};
const isRefusal = (result: unknown) => (result as { isError?: boolean } | undefined)?.isError === true;

/** Every scenario: where labels are, where none are, and what the verifier says. */
function check(spans: readonly ReadableSpan[], calls: number): ReadableSpan[] {
  const toolSpans = spans
    .filter((span) => span.attributes["traceloop.span.kind"] === "tool")
    .sort(
      (a, b) => Number(a.attributes["trustabl.step_index"]) - Number(b.attributes["trustabl.step_index"]),
    );
  expect(toolSpans).toHaveLength(calls);
  for (const span of toolSpans) expect(labelsOf(span)).toHaveProperty(["trustabl.tool.input_fp"]);
  expectNoOtherLabels(spans, toolSpans);
  expectPass(spans);
  return toolSpans;
}

/** The text of the result that the instrumentation captured on its span. */
const captured = (span: ReadableSpan): string =>
  JSON.parse(String(span.attributes["traceloop.entity.output"])).result as string;

/** The fingerprint of what `search` returned with this text. */
const searchFp = (text: string): string =>
  canonicalFp({
    content: [{ type: "text", text }],
    structuredContent: { search: Number(/-(\d+)#$/.exec(text)?.[1]) },
  });

describe.each(SDKS)("a client of the $row", (sdk) => {
  const open: AnyClient[] = [];
  const labelled = async (options?: { trustToolAnnotations: boolean }): Promise<AnyClient> => {
    const client = await connected(sdk, labelClient(sdk.newClient(), definitions, options));
    open.push(client);
    return client;
  };
  beforeEach(() => void takeSpans());
  afterEach(async () => {
    for (const client of open.splice(0)) await client.close();
  });
  /** Closes what is open first: the session's span ends then. */
  const closedSpans = async (): Promise<ReadableSpan[]> => {
    for (const client of open.splice(0)) await client.close();
    return takeSpans();
  };

  it(
    "labels three identical calls in sequence, and nothing of the application's request",
    scenario(sdk.row, ["sequence", "application-span"]),
    async () => {
      await inRequest(async () => {
        const client = await labelled();
        await inRun(async () => {
          for (let call = 0; call < 3; call++) await sdk.call(client, "search", { q: "x" });
        });
      });
      const spans = check(await closedSpans(), 3);
      for (const [index, span] of spans.entries()) {
        expect(span.name).toBe("search.tool");
        expect(captured(span)).toBe(`#x-${index + 1}#`);
        expect(labelsOf(span)).toMatchObject({
          "trustabl.tool.attempt": index + 1,
          "trustabl.step_index": index,
          "trustabl.tool.input_fp": canonicalFp({ q: "x" }),
          "trustabl.tool.output_fp": searchFp(`#x-${index + 1}#`),
          "trustabl.tool.side_effect": "read",
        });
      }
    },
  );

  it("does not mix up calls at the same time", scenario(sdk.row, "parallel"), async () => {
    await inRequest(async () => {
      const client = await labelled();
      await inRun(() => Promise.all(Array.from({ length: 6 }, () => sdk.call(client, "search", { q: "x" }))));
    });
    const spans = check(await closedSpans(), 6);
    expect(spans.map((span) => span.attributes["trustabl.tool.attempt"])).toEqual([1, 2, 3, 4, 5, 6]);
    expect(new Set(spans.map(captured)).size).toBe(6);
    for (const span of spans)
      expect(labelsOf(span)["trustabl.tool.output_fp"]).toBe(searchFp(captured(span)));
  });

  it("labels a tool that throws, whose error the server hides", scenario(sdk.row, "throws"), async () => {
    await inRequest(async () => {
      const client = await labelled();
      await inRun(async () => {
        expect(await sdk.call(client, "throw", { q: "x" })).toMatchObject({ isError: true });
      });
    });
    const [span] = check(await closedSpans(), 1);
    expect(labelsOf(span)).not.toHaveProperty(["trustabl.tool.error_class"]);
    expect(labelsOf(span)["trustabl.tool.output_fp"]).toBe(
      canonicalFp({ content: [{ type: "text", text: "no" }], isError: true }),
    );
  });

  it("labels a failure that is returned", scenario(sdk.row, "returned-failure"), async () => {
    await inRequest(async () => {
      const client = await labelled();
      await inRun(() => sdk.call(client, "refuse", { q: "x" }));
      await inRun(() => sdk.call(client, "find_nothing", { q: "x" }));
    });
    const spans = check(await closedSpans(), 2);
    expect(spans.map((span) => [span.name, span.attributes["trustabl.tool.error_class"]]).sort()).toEqual([
      ["find_nothing.tool", "empty"],
      ["refuse.tool", "auth"],
    ]);
  });

  it("labels a call to which the server answers with an error of the protocol", async () => {
    const client = labelClient(sdk.newClient(), { gone: { errorClass: (error) => classOfCode(error) } });
    const [clientSide, serverSide] = sdk.inMemory() as [
      object,
      { onmessage?: unknown; start(): Promise<void> },
    ];
    answering(serverSide, { error: { code: -32602, message: "no such tool" } });
    await inRequest(async () => {
      await serverSide.start();
      await client.connect(clientSide);
      open.push(client);
      await inRun(() => expect(sdk.call(client, "gone", { q: "x" })).rejects.toThrow("no such tool"));
    });
    const [span] = check(await closedSpans(), 1);
    expect(labelsOf(span)).toMatchObject({
      "trustabl.tool.error_class": "schema",
      "trustabl.tool.output_fp": canonicalFp(null),
    });
  });

  it("labels a call that is not answered in time as a timeout, and one that is aborted as none", async () => {
    await inRequest(async () => {
      const client = await labelled();
      await inRun(async () => {
        await expect(sdk.call(client, "wait", { q: "x" }, { timeout: 20 })).rejects.toThrow();
        const abort = new AbortController();
        const call = sdk.call(client, "wait", { q: "x" }, { signal: abort.signal });
        setTimeout(() => abort.abort(), 5);
        await expect(call).rejects.toThrow();
        const signal = AbortSignal.timeout(5);
        await expect(sdk.call(client, "wait", { q: "x" }, { signal })).rejects.toThrow();
      });
    });
    const spans = check(await closedSpans(), 3);
    expect(spans.map((span) => span.attributes["trustabl.tool.error_class"])).toEqual([
      "timeout",
      undefined,
      "timeout",
    ]);
    for (const span of spans) expect(labelsOf(span)["trustabl.tool.output_fp"]).toBe(canonicalFp(null));
  });

  it("labels a call whose connection is closed", async () => {
    await inRequest(async () => {
      const client = await labelled();
      await inRun(async () => {
        const call = sdk.call(client, "wait", { q: "x" });
        const rejected = expect(call).rejects.toThrow();
        await new Promise((resolve) => setTimeout(resolve, 5));
        await client.close();
        await rejected;
      });
    });
    const [span] = check(await closedSpans(), 1);
    expect(labelsOf(span)["trustabl.tool.output_fp"]).toBe(canonicalFp(null));
  });

  it("labels calls over stdio", async () => {
    const client = labelClient(sdk.newClient(), definitions);
    await inRequest(async () => {
      await client.connect(sdk.stdio());
      open.push(client);
      await inRun(() => Promise.all([1, 2, 3].map(() => sdk.call(client, "search", { q: "x" }))));
    });
    const spans = check(await closedSpans(), 3);
    for (const span of spans)
      expect(labelsOf(span)["trustabl.tool.output_fp"]).toBe(searchFp(captured(span)));
  });

  it(
    "labels calls over streamable HTTP, with a timeout and an abort",
    scenario(sdk.row, "streaming"),
    async () => {
      let searches = 0;
      const served = await sdk.http((server) => {
        registerTools(server);
        searches++;
      });
      const client = labelClient(sdk.newClient(), definitions);
      await inRequest(async () => {
        await client.connect(served.transport);
        open.push(client);
        await inRun(async () => {
          await Promise.all([1, 2, 3].map((q) => sdk.call(client, "search", { q: `${q}` })));
          await expect(sdk.call(client, "wait", { q: "x" }, { timeout: 50 })).rejects.toThrow();
          const abort = new AbortController();
          const call = sdk.call(client, "wait", { q: "x" }, { signal: abort.signal });
          setTimeout(() => abort.abort(), 50);
          await expect(call).rejects.toThrow();
        });
      });
      const spans = check(await closedSpans(), 5);
      served.close();
      expect(searches).toBeGreaterThan(0);
      for (const span of spans.slice(0, 3)) {
        expect(labelsOf(span)["trustabl.tool.output_fp"]).toBe(searchFp(captured(span)));
      }
      expect(spans.slice(3).map((span) => span.attributes["trustabl.tool.error_class"])).toEqual([
        "timeout",
        undefined,
      ]);
    },
  );

  it("labels a call that the server refuses over HTTP, by its status", async () => {
    const client = labelClient(sdk.newClient());
    const [clientSide, serverSide] = sdk.inMemory() as [{ send: unknown }, object];
    const refusing = clientSide as { send(message: { method?: string }): Promise<void> };
    const send = refusing.send;
    refusing.send = async (message, ...rest: []) => {
      if (message.method === "tools/call") throw Object.assign(new Error("no"), { code: 401 });
      return Reflect.apply(send, refusing, [message, ...rest]);
    };
    const server = sdk.newServer();
    registerTools(server);
    await inRequest(async () => {
      await server.connect(serverSide);
      await client.connect(clientSide);
      open.push(client);
      await inRun(() => expect(sdk.call(client, "search", { q: "x" })).rejects.toThrow("no"));
    });
    const [span] = check(await closedSpans(), 1);
    expect(labelsOf(span)["trustabl.tool.error_class"]).toBe("auth");
  });

  it("keeps the counters of two runs at the same time apart", scenario(sdk.row, "two-runs"), async () => {
    const runIds: string[] = [];
    const one = (q: string) =>
      inRequest(async () => {
        const client = await labelled();
        await inRun(async (run) => {
          runIds.push(run.runId);
          await sdk.call(client, "search", { q });
          await sdk.call(client, "search", { q });
        });
      });
    await Promise.all([one("a"), one("b")]);
    const spans = check(await closedSpans(), 4);
    for (const runId of runIds) {
      const own = spans.filter((span) => span.attributes["trustabl.run_id"] === runId);
      expect(own.map((span) => span.attributes["trustabl.step_index"])).toEqual([0, 1]);
      expect(own.map((span) => span.attributes["trustabl.tool.attempt"])).toEqual([1, 2]);
      expect(new Set(own.map((span) => captured(span)[1])).size).toBe(1);
    }
  });

  it("tells a call without arguments from one with an empty object, as servers do", async () => {
    await inRequest(async () => {
      const client = await labelled();
      await inRun(async () => {
        await sdk.call(client, "ping");
        await sdk.call(client, "ping", {});
      });
    });
    const spans = check(await closedSpans(), 2);
    expect(spans.map((span) => span.attributes["trustabl.tool.input_fp"])).toEqual([
      canonicalFp(null),
      canonicalFp({}),
    ]);
  });

  it("takes side effects from the server's annotations only if it is told to, and never over a definition", async () => {
    for (const trusted of [false, true]) {
      await inRequest(async () => {
        const client = await labelled({ trustToolAnnotations: trusted });
        await client.listTools();
        await inRun(async () => {
          await sdk.call(client, "throw", { q: "x" });
          await sdk.call(client, "search", { q: "x" });
          await sdk.call(client, "find_nothing", { q: "x" });
        });
      });
      const spans = check(await closedSpans(), 3);
      expect(spans.map((span) => span.attributes["trustabl.tool.side_effect"])).toEqual([
        trusted ? "irreversible" : undefined,
        "read",
        undefined,
      ]);
    }
  });

  it("can be labelled when it is connected already", async () => {
    await inRequest(async () => {
      const client = await connected(sdk, sdk.newClient());
      open.push(labelClient(client, definitions));
      await inRun(() => sdk.call(client, "search", { q: "x" }));
    });
    const [span] = check(await closedSpans(), 1);
    expect(labelsOf(span)["trustabl.tool.output_fp"]).toBe(searchFp(captured(span as ReadableSpan)));
  });

  it("changes neither results nor errors, and touches no other client", async () => {
    const client = await labelled();
    const other = await connected(sdk, sdk.newClient());
    open.push(other);
    const [ours, theirs] = await inRun(() =>
      Promise.all([sdk.call(client, "search", { q: "x" }), sdk.call(other, "search", { q: "x" })]),
    );
    expect(ours).toEqual(theirs);
    const errors = await Promise.all(
      [client, other].map((one) => sdk.call(one, "wait", {}, { timeout: 5 }).catch((error: Error) => error)),
    );
    expect(errors[0]).toEqual(errors[1]);
    const spans = await closedSpans();
    expect(
      spans.filter((span) => Object.keys(labelsOf(span)).length > 0 && span.name === "search.tool"),
    ).toHaveLength(1);
  });

  it("labels the right ones of a thousand calls in fifty runs", async () => {
    const client = await labelled();
    const runIds = await Promise.all(
      Array.from({ length: 50 }, (_, runNumber) =>
        inRun(async (run) => {
          await Promise.all(
            Array.from({ length: 20 }, (_, call) =>
              sdk.call(client, "search", { q: `${runNumber}.${call % 5}` }),
            ),
          );
          return run.runId;
        }),
      ),
    );
    const spans = (await closedSpans()).filter((span) => span.name === "search.tool");
    expect(spans).toHaveLength(1_000);
    for (const [runNumber, runId] of runIds.entries()) {
      const own = spans.filter((span) => span.attributes["trustabl.run_id"] === runId);
      expect(own.map((span) => Number(span.attributes["trustabl.step_index"])).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 20 }, (_, step) => step),
      );
      for (const span of own) {
        expect(captured(span).startsWith(`#${runNumber}.`)).toBe(true);
        expect(span.attributes["trustabl.tool.output_fp"]).toBe(searchFp(captured(span)));
      }
    }
  });

  it("writes nothing and breaks nothing with telemetry off", scenario(sdk.row, "telemetry-off"), async () => {
    const messages = await heard(() =>
      context.with(suppressTracing(ROOT_CONTEXT), async () => {
        const client = await labelled();
        await inRun(async () => {
          expect(await sdk.call(client, "search", { q: "x" })).toMatchObject({ content: [{ type: "text" }] });
        });
      }),
    );
    expect(messages).toEqual([]);
    expect(await closedSpans()).toEqual([]);
  });
});

function classOfCode(error: unknown): "schema" | undefined {
  return (error as { code?: number }).code === -32602 ? "schema" : undefined;
}

/** A server that shakes hands and then answers every call of a tool like this. */
function answering(
  transport: { onmessage?: unknown; send?(message: object): Promise<void> },
  answer: object,
): void {
  transport.onmessage = ({
    id,
    method,
    params,
  }: {
    id?: number;
    method: string;
    params: { protocolVersion: string };
  }) => {
    if (id === undefined) return;
    const reply = (rest: object) => void transport.send?.({ jsonrpc: "2.0", id, ...rest });
    if (method === "tools/call") reply(answer);
    else if (method !== "initialize") reply({ error: { code: -32601, message: "unknown method" } });
    else {
      const { protocolVersion } = params;
      reply({
        result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "demo", version: "1" } },
      });
    }
  };
}
