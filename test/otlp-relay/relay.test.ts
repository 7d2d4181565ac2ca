import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { deflateSync, gzipSync } from "node:zlib";
import { type Context, context, createContextKey, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { afterEach, describe, expect, it, vi } from "vitest";
import { startOtlpReceiver, type TraceRequest } from "../../src/otlp-receiver/index.ts";
import { encodeMessage } from "../../src/otlp-receiver/protobuf/wire-writer.ts";
import { type RelayedSpan, startOtlpRelay } from "../../src/otlp-relay/index.ts";
import { hearDiagnostics, ownMessages } from "../support/diagnostics.ts";
import { selfSigned } from "./support/certificate.ts";
import { type Endpoint, type ScriptedAnswer, spansOf, startEndpoint } from "./support/endpoint.ts";
import { closing, exportOf, labels, startRelay, toolSpan, until } from "./support/relaying.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

// The key by which OpenTelemetry's instrumentations know that nothing is to be traced.
const isTracingSuppressed = (active: Context): boolean =>
  active.getValue(createContextKey("OpenTelemetry SDK Context Key SUPPRESS_TRACING")) === true;
const callId = ({ attributes }: RelayedSpan): string => String(attributes["gen_ai.tool.call.id"]);
const endpointFor = async (...given: Parameters<typeof startEndpoint>): Promise<Endpoint> =>
  closing(await startEndpoint(...given));
const takenSpans = (endpoint: Endpoint) => endpoint.taken.flatMap(spansOf);
const sentIds = (endpoint: Endpoint) =>
  takenSpans(endpoint)
    .map((span) => span.attributes["gen_ai.tool.call.id"])
    .sort();

describe("a relay between OpenTelemetry's own exporters and a real receiver", () => {
  describe.each([
    ["JSON", JsonExporter, "application/json"],
    ["protobuf", ProtobufExporter, "application/x-protobuf"],
  ])("%s", (_name, Exporter, contentType) => {
    it.each(["none", "gzip"])(
      "forwards everything and adds labels to their spans only (%s)",
      async (compression) => {
        const receive = async () => {
          const requests: { request: TraceRequest; contentType: string; compressed: boolean }[] = [];
          const receiver = closing(
            await startOtlpReceiver({
              port: 0,
              onTraces: (request, received) => {
                requests.push({ request, ...received });
                return undefined;
              },
            }),
          );
          return { url: receiver.url, requests };
        };
        const [direct, behind] = [await receive(), await receive()];
        const shown: RelayedSpan[] = [];
        const { relay, losses } = await startRelay({
          endpoint: behind.url,
          labelsOf: (span) => {
            shown.push(span);
            if (span.attributes["gen_ai.tool.call.id"] === undefined) return undefined;
            return {
              attributes: { "trustabl.label": callId(span) },
              events: [{ name: "trustabl.event", timeUnixNano: 1n, attributes: { id: callId(span) } }],
            };
          },
        });
        const spanProcessors = [relay.url, direct.url].map(
          (url) =>
            new BatchSpanProcessor(
              new Exporter({ url: `${url}/v1/traces`, compression: compression as never }),
            ),
        );
        const provider = new NodeTracerProvider({ spanProcessors });
        const tracer = provider.getTracer("com.example", "1");
        const root = tracer.startSpan("interaction é", { kind: SpanKind.SERVER });
        for (const id of ["toolu_1", "toolu_2", "toolu_3"]) {
          const span = tracer.startSpan("claude_code.tool", {
            links: [{ context: root.spanContext(), attributes: { link: true } }],
            attributes: {
              "gen_ai.tool.call.id": id,
              fraction: 0.1,
              minus: -7,
              large: Number.MAX_SAFE_INTEGER,
              texts: ["a", "b"],
              none: [],
            },
          });
          span.addEvent("event", { n: 1 });
          span.setStatus({ code: SpanStatusCode.ERROR, message: "no seats" });
          span.end();
        }
        root.end();
        await provider.shutdown();
        await relay.forceFlush();
        expect(behind.requests.map((one) => [one.contentType, one.compressed])).toEqual([
          [contentType, compression === "gzip"],
        ]);

        // biome-ignore lint/suspicious/noExplicitAny: the lists are looked at as they are written
        const resourceSpans = structuredClone(behind.requests[0]?.request) as any;
        const found: unknown[] = [];
        for (const span of resourceSpans.resourceSpans[0].scopeSpans[0].spans) {
          if (span.name !== "claude_code.tool") continue;
          found.push([span.attributes[0].value, span.attributes.pop(), span.events.pop()]);
        }
        expect(resourceSpans).toEqual(direct.requests[0]?.request);
        expect(found).toEqual(
          ["toolu_1", "toolu_2", "toolu_3"].map((stringValue) => [
            { stringValue },
            { key: "trustabl.label", value: { stringValue } },
            {
              timeUnixNano: "1",
              name: "trustabl.event",
              attributes: [{ key: "id", value: { stringValue } }],
            },
          ]),
        );
        expect(shown.map(({ name, scope }) => [name, scope])).toEqual([
          ...found.map(() => ["claude_code.tool", "com.example"]),
          ["interaction é", "com.example"],
        ]);
        expect(shown[0]?.resource["telemetry.sdk.language"]).toBe("nodejs");
        expect(losses).toEqual([]);
      },
    );
  });

  it("hands on the very bytes that came when there is nothing to add", async () => {
    const endpoint = await endpointFor();
    const { relay, post } = await startRelay({ endpoint: endpoint.url });
    const json = `{ "future": 12345678901234567890, "resourceSpans":[] }`;
    const protobuf = Buffer.from("c23e03616263", "hex");
    await post(json);
    await post(protobuf, { "content-type": "application/x-protobuf" });
    await relay.forceFlush();
    expect(endpoint.sent.map(({ body }) => body)).toEqual(
      expect.arrayContaining([Buffer.from(json), protobuf]),
    );
  });

  it.each([
    ["gzip", gzipSync, "gzip"],
    ["deflate", deflateSync, "gzip"],
    ["identity", Buffer.from, undefined],
  ] as const)("takes %s and forwards compressed what came compressed", async (encoding, pack, forwarded) => {
    const endpoint = await endpointFor();
    const { relay, post } = await startRelay({ endpoint: endpoint.url });
    const body = exportOf(toolSpan("1"));
    expect((await post(pack(body as never), { "content-encoding": encoding })).status).toBe(200);
    await relay.forceFlush();
    expect(endpoint.sent[0]?.headers["content-encoding"]).toBe(forwarded);
    expect(endpoint.sent[0]?.body.toString()).toBe(body);
  });

  it("never mixes up the labels of calls that look alike, though they are decided in any order", async () => {
    const endpoint = await endpointFor();
    const decided = new Map<string, string>();
    const { relay, post } = await startRelay({
      endpoint: endpoint.url,
      labelsOf: (span) => {
        const label = decided.get(callId(span));
        return label === undefined ? "wait" : labels({ "trustabl.label": label });
      },
    });
    const ids = Array.from({ length: 60 }, (_, index) => `call ${index}`);
    await Promise.all(
      [0, 20, 40].map((start) => post(exportOf(...ids.slice(start, start + 20).map(toolSpan)))),
    );
    for (const id of [...ids].reverse()) {
      decided.set(id, `label of ${id}`);
      relay.settled();
      if (id.endsWith("7")) await sleep(1);
    }
    await relay.forceFlush();
    const spans = takenSpans(endpoint);
    expect(spans).toHaveLength(60);
    for (const { attributes } of spans) {
      expect(attributes["trustabl.label"]).toBe(`label of ${attributes["gen_ai.tool.call.id"]}`);
    }
  });
});

describe("a span that waits for its labels", () => {
  it("is forwarded once they are settled, with its export, and not before", async () => {
    const endpoint = await endpointFor();
    let known = false;
    const asked: [string, boolean][] = [];
    const { relay, post } = await startRelay({
      endpoint: endpoint.url,
      labelsOf: (span, last) => {
        asked.push([callId(span), last]);
        if (callId(span) === "early") return labels({ "trustabl.label": "early" });
        return known ? labels({ "trustabl.label": "late" }) : "wait";
      },
    });
    expect((await post(exportOf(toolSpan("early"), toolSpan("late")))).status).toBe(200);
    relay.settled();
    await sleep(50);
    expect(endpoint.sent).toEqual([]);
    known = true;
    relay.settled();
    relay.settled();
    await until(() => endpoint.sent.length > 0);
    expect(takenSpans(endpoint).map(({ attributes }) => attributes["trustabl.label"])).toEqual([
      "early",
      "late",
    ]);
    // Once for the span that was decided at once; the other at its arrival, and at each settling.
    expect(asked).toEqual([
      ["early", false],
      ["late", false],
      ["late", false],
      ["late", false],
    ]);
  });

  it("is asked for a last time and forwarded when its time is over", async () => {
    const endpoint = await endpointFor();
    const asked: boolean[] = [];
    const { post } = await startRelay({
      endpoint: endpoint.url,
      holdMilliseconds: 30,
      labelsOf: (_span, last) => {
        asked.push(last);
        return last ? labels({ "trustabl.label": "last" }) : "wait";
      },
    });
    await post(exportOf(toolSpan("1")));
    await until(() => endpoint.taken.length > 0);
    expect(takenSpans(endpoint)[0]?.attributes["trustabl.label"]).toBe("last");
    expect(asked).toEqual([false, true]);
  });

  it("is forwarded without labels when the last answer is to wait, and does not wait at all with a time of 0", async () => {
    const endpoint = await endpointFor();
    const asked: boolean[] = [];
    const { relay, post } = await startRelay({
      endpoint: endpoint.url,
      holdMilliseconds: 0,
      labelsOf: (_span, last) => {
        asked.push(last);
        return "wait";
      },
    });
    const body = exportOf(toolSpan("1"));
    await post(body);
    await relay.forceFlush();
    expect(endpoint.taken[0]?.body.toString()).toBe(body);
    expect(asked).toEqual([true]);
  });

  it("waits in a bounded crowd: the next ones are decided at once", async () => {
    const messages = hearDiagnostics();
    const endpoint = await endpointFor();
    let known = false;
    const { relay, post } = await startRelay(
      { endpoint: endpoint.url, labelsOf: (_span, last) => (last || known ? undefined : "wait") },
      { maxWaitingSpans: 2 },
    );
    await post(exportOf(toolSpan("1"), toolSpan("2")));
    await post(exportOf(toolSpan("3")));
    await until(() => endpoint.taken.length > 0);
    expect(sentIds(endpoint)).toEqual(["3"]);
    known = true;
    relay.settled();
    await relay.forceFlush();
    known = false;
    await post(exportOf(toolSpan("4")));
    await sleep(50);
    expect(sentIds(endpoint)).toEqual(["1", "2", "3"]);
    expect(ownMessages(messages)).toEqual([
      "agent-reliability-otel-labels: too many spans wait for labels: the next ones do not wait",
    ]);
  });

  it("may be settled inside labelsOf", async () => {
    const endpoint = await endpointFor();
    let asked = 0;
    const started = await startRelay({
      endpoint: endpoint.url,
      labelsOf: () => {
        asked += 1;
        started.relay.settled();
        return asked < 5 ? "wait" : labels({ n: asked });
      },
    });
    await started.post(exportOf(toolSpan("1")));
    await started.relay.forceFlush();
    expect(takenSpans(endpoint)[0]?.attributes.n).toBe(5);
  });
});

describe("labelsOf", () => {
  it("that throws costs the labels of its span only, and its message is not shown", async () => {
    const messages = hearDiagnostics();
    const endpoint = await endpointFor();
    const { relay, post } = await startRelay({
      endpoint: endpoint.url,
      labelsOf: (span) => {
        if (callId(span) === "2") throw new Error("secret");
        return labels({ label: callId(span) });
      },
    });
    expect((await post(exportOf(toolSpan("1"), toolSpan("2"), toolSpan("3")))).status).toBe(200);
    await relay.forceFlush();
    expect(takenSpans(endpoint).map(({ attributes }) => attributes.label)).toEqual(["1", undefined, "3"]);
    expect(ownMessages(messages)).toEqual([
      "agent-reliability-otel-labels: labelsOf threw: the span is forwarded without labels",
    ]);
  });

  it("never overwrites what the span came with", async () => {
    const endpoint = await endpointFor();
    const { relay, post } = await startRelay({
      endpoint: endpoint.url,
      labelsOf: () => labels({ "gen_ai.tool.call.id": "another", n: 1 }),
    });
    await post(exportOf(toolSpan("1")));
    await relay.forceFlush();
    const text = endpoint.taken[0]?.body.toString() ?? "";
    expect(text.match(/"gen_ai.tool.call.id"/g)).toHaveLength(1);
    expect(takenSpans(endpoint)[0]?.attributes).toMatchObject({ "gen_ai.tool.call.id": "1", n: 1 });
  });
});

describe("an endpoint that fails", () => {
  it.each([429, 502, 503, 504])(
    "with %i gets the export again, once it has been taken no more",
    async (status) => {
      const endpoint = await endpointFor([{ status }, { status }]);
      const { relay, losses, post } = await startRelay({ endpoint: endpoint.url });
      expect((await post(exportOf(toolSpan("1")))).status).toBe(200);
      await relay.forceFlush();
      expect([endpoint.sent.length, sentIds(endpoint), losses]).toEqual([3, ["1"], []]);
    },
  );

  it("by breaking the connection gets it again", async () => {
    const endpoint = await endpointFor([(response) => response.socket?.destroy()]);
    const { relay, losses, post } = await startRelay({ endpoint: endpoint.url });
    await post(exportOf(toolSpan("1")));
    await relay.forceFlush();
    expect([endpoint.sent.length, sentIds(endpoint), losses]).toEqual([2, ["1"], []]);
  });

  it("by not answering gets it again", async () => {
    const endpoint = await endpointFor([() => {}]);
    const { relay, post } = await startRelay({ endpoint: endpoint.url }, { attemptMilliseconds: 1_000 });
    await post(exportOf(toolSpan("1")));
    await relay.forceFlush();
    expect([endpoint.sent.length, sentIds(endpoint)]).toEqual([2, ["1"]]);
  });

  it("after its status does not get it again: the status decides", async () => {
    const endpoint = await endpointFor([
      (response) => {
        response.writeHead(200, { "content-length": "10" }).write("x");
        setTimeout(() => response.socket?.destroy(), 20);
      },
      (response) => {
        response.writeHead(200, { "content-type": "application/json" }).write("x".repeat(100_000));
      },
      (response) => {
        response.writeHead(200).write("x");
      },
    ]);
    const { relay, losses, post } = await startRelay(
      { endpoint: endpoint.url },
      { attemptMilliseconds: 1_000 },
    );
    await post(exportOf(toolSpan("1")));
    await relay.forceFlush();
    await post(exportOf(toolSpan("2")));
    await relay.forceFlush();
    await post(exportOf(toolSpan("3")));
    await relay.forceFlush();
    expect([endpoint.sent.length, losses]).toEqual([3, []]);
  });

  it("by being down and coming back loses nothing, and is not knocked at by every export", async () => {
    const gone = await startEndpoint();
    const { port } = gone;
    await gone.close();
    const messages = hearDiagnostics();
    const { relay, losses, post } = await startRelay({ endpoint: `http://127.0.0.1:${port}` });
    const ids = Array.from({ length: 30 }, (_, index) => String(index + 10));
    for (const id of ids) expect((await post(exportOf(toolSpan(id)))).status).toBe(200);
    await sleep(100);
    const endpoint = await endpointFor([], { port });
    await relay.forceFlush();
    expect(sentIds(endpoint)).toEqual(ids);
    expect(endpoint.sent).toHaveLength(30);
    expect(losses).toEqual([]);
    expect(ownMessages(messages)).toEqual([
      "agent-reliability-otel-labels: the endpoint could not be reached (ECONNREFUSED): exports wait in the relay and are sent again",
    ]);
  });

  it("now and then gets every export exactly once that it took", async () => {
    const kinds: ScriptedAnswer[] = [
      { status: 200 },
      { status: 200 },
      (response) => response.socket?.destroy(),
      { status: 429, headers: { "retry-after": "0" } },
      { status: 200 },
      { status: 503 },
    ];
    const script = Array.from({ length: 120 }, (_, index) => kinds[((index * index) % 7) % kinds.length]);
    const endpoint = await endpointFor(script as ScriptedAnswer[]);
    const { relay, losses, post } = await startRelay(
      { endpoint: endpoint.url, labelsOf: (span) => labels({ label: callId(span) }) },
      { firstMilliseconds: 1, longestMilliseconds: 2 },
    );
    const ids = Array.from({ length: 100 }, (_, index) => String(index + 100));
    await Promise.all(ids.map((id) => post(exportOf(toolSpan(id)))));
    await relay.forceFlush();
    expect(sentIds(endpoint)).toEqual(ids);
    expect(endpoint.sent.length).toBeGreaterThan(ids.length);
    expect(losses).toEqual([]);
  });

  it("gets a few exports at the same time, and one as long as it fails", async () => {
    const open: ServerResponse[] = [];
    const endpoint = await endpointFor([], { afterwards: (response) => void open.push(response) });
    const answer = (status: number) => {
      for (const response of open.splice(0)) response.writeHead(status).end();
    };
    const { relay, post } = await startRelay({ endpoint: endpoint.url }, { atOnce: 3 });
    for (let count = 0; count < 8; count += 1) await post(exportOf(toolSpan(String(count))));
    await until(() => open.length === 3);
    await sleep(50);
    expect(open.length).toBe(3);
    answer(503);
    for (let count = 0; count < 3; count += 1) {
      await until(() => open.length === 1);
      await sleep(100);
      expect(open.length).toBe(1);
      answer(503);
    }
    await until(() => open.length === 1);
    answer(200);
    await until(() => open.length === 3);
    const flushed = relay.forceFlush();
    const answering = setInterval(() => answer(200), 5);
    await flushed;
    clearInterval(answering);
  });

  it("is left alone for as long as its Retry-After says, by all exports", async () => {
    const endpoint = await endpointFor([{ status: 503, headers: { "retry-after": "1" } }]);
    const { relay, post } = await startRelay({ endpoint: endpoint.url });
    await post(exportOf(toolSpan("1")));
    await until(() => endpoint.sent.length === 1);
    await post(exportOf(toolSpan("2")));
    await relay.forceFlush();
    const [first, ...others] = endpoint.sent.map(({ at }) => at);
    expect(sentIds(endpoint)).toEqual(["1", "2"]);
    // A timer may be a little early by another clock.
    for (const at of others) expect(at - (first as number)).toBeGreaterThan(990);
  });

  it("for one export only does not keep the others", async () => {
    const endpoint = await endpointFor([], {
      afterwards: (response, { body }) => response.writeHead(body.includes("poison") ? 503 : 200).end(),
    });
    const { relay, losses, post } = await startRelay({ endpoint: endpoint.url });
    for (const id of ["poison 1", "poison 2", "1", "2"]) await post(exportOf(toolSpan(id)));
    await until(() => ['"1"', '"2"'].every((id) => endpoint.sent.some(({ body }) => body.includes(id))));
    await relay.close();
    expect(losses).toEqual([1, 2].map(() => ({ spans: 1, reason: "closed" })));
    expect(endpoint.sent.filter(({ body }) => !body.includes("poison"))).toHaveLength(2);
  });

  it.each([400, 401, 404, 413, 500, 301])(
    "with %i is final: counted as dropped and not sent again",
    async (status) => {
      const messages = hearDiagnostics();
      const other = await endpointFor();
      const endpoint = await endpointFor([
        { status, headers: { location: `${other.url}/v1/traces` }, body: "secret" },
      ]);
      const { relay, losses, post } = await startRelay({
        endpoint: endpoint.url.replace("//", "//user:secret@"),
        headers: { authorization: "secret" },
      });
      await post(exportOf(toolSpan("1"), toolSpan("2")));
      await relay.forceFlush();
      expect(losses).toEqual([{ spans: 2, reason: "refused" }]);
      expect([endpoint.sent.length, other.sent.length]).toEqual([1, 0]);
      expect(ownMessages(messages)).toEqual([
        `agent-reliability-otel-labels: the endpoint answered ${status}, which OTLP counts as final: the export was dropped`,
      ]);
    },
  );

  it("for some spans of an export (partial success): those are counted", async () => {
    const body = '{"partialSuccess":{"rejectedSpans":"1","errorMessage":"secret"}}';
    const messages = hearDiagnostics();
    const endpoint = await endpointFor([
      { status: 200, headers: { "content-type": "application/json" }, body },
    ]);
    const { relay, losses, post } = await startRelay({ endpoint: endpoint.url });
    await post(exportOf(toolSpan("1"), toolSpan("2")));
    await relay.forceFlush();
    expect([endpoint.sent.length, losses]).toEqual([1, [{ spans: 1, reason: "refused" }]]);
    expect(ownMessages(messages)).toHaveLength(1);
    expect(messages.join()).not.toContain("secret");
  });
});

describe("a queue that is full", () => {
  it("makes senders keep their exports, and takes them when there is room again", async () => {
    let answer: () => void = () => {};
    const endpoint = await endpointFor([
      (response) => {
        answer = () => response.writeHead(200).end();
      },
    ]);
    const { relay, losses, post } = await startRelay({ endpoint: endpoint.url, maxQueuedBytes: 5_000 });
    const body = exportOf(toolSpan("x".repeat(2_500)));
    expect((await post(body)).status).toBe(200);
    const refused = await post(body);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(losses).toEqual([{ spans: 1, reason: "queue_full" }]);
    await until(() => endpoint.sent.length === 1);
    answer();
    await relay.forceFlush();
    expect((await post(body)).status).toBe(200);
  });

  it("loses nothing of a real exporter, which sends again", async () => {
    let up = false;
    const endpoint = await endpointFor([], {
      afterwards: (response) => response.writeHead(up ? 200 : 503).end(),
    });
    const { relay, post } = await startRelay({ endpoint: endpoint.url, maxQueuedBytes: 4_000 });
    await post(exportOf(toolSpan("x".repeat(2_000))));
    const exporter = new ProtobufExporter({ url: `${relay.url}/v1/traces` });
    const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
    provider
      .getTracer("test")
      .startSpan("kept", { attributes: { text: "x".repeat(2_000) } })
      .end();
    const shutdown = provider.shutdown();
    await sleep(100);
    up = true;
    await shutdown;
    await relay.forceFlush();
    expect(endpoint.sent.some((one) => one.body.includes("kept"))).toBe(true);
  });

  it("counts exports that hold nothing, too", async () => {
    const endpoint = await endpointFor([], { afterwards: { status: 503 } });
    const { post } = await startRelay({ endpoint: endpoint.url, maxQueuedBytes: 5_000 });
    const answers = [];
    for (let count = 0; count < 8; count += 1) answers.push((await post("{}")).status);
    expect(answers).toEqual([200, 200, 200, 200, 503, 503, 503, 503]);
  });

  it("holds more of what came compressed", async () => {
    const endpoint = await endpointFor([], { afterwards: { status: 503 } });
    const { post } = await startRelay({ endpoint: endpoint.url, maxQueuedBytes: 12_000 });
    const body = gzipSync(exportOf(toolSpan("x".repeat(4_000))));
    // As they came, two would fill it.
    let taken = 0;
    const giveUp = Date.now() + 10_000;
    while (taken < 6 && Date.now() < giveUp) {
      const { status } = await post(body, { "content-encoding": "gzip" });
      if (status === 200) taken += 1;
      else await sleep(20);
    }
    expect(taken).toBe(6);
  });

  it("refuses for good what could never fit", async () => {
    const endpoint = await endpointFor();
    const { post } = await startRelay({ endpoint: endpoint.url, maxQueuedBytes: 5_000 });
    expect((await post("{}".padEnd(5_001))).status).toBe(413);
  });
});

describe("close", () => {
  it("asks a last time for spans that wait, delivers, and takes nothing more", async () => {
    const endpoint = await endpointFor();
    const { relay, losses, post } = await startRelay(
      { endpoint: endpoint.url, labelsOf: (_span, last) => (last ? labels({ n: 1 }) : "wait") },
      { closeMilliseconds: 10_000 },
    );
    await post(exportOf(toolSpan("1")));
    await relay.close();
    expect(takenSpans(endpoint)[0]?.attributes.n).toBe(1);
    expect(losses).toEqual([]);
    await expect(post("{}")).rejects.toThrow();
    await relay.close();
  });

  it("tells what an endpoint that is down made it lose, in a bounded time", async () => {
    const gone = await startEndpoint();
    await gone.close();
    const messages = hearDiagnostics();
    const { relay, losses, post } = await startRelay({ endpoint: gone.url });
    for (const id of ["1", "2", "3"]) await post(exportOf(toolSpan(id), toolSpan("x")));
    await relay.close();
    expect(losses).toEqual([1, 2, 3].map(() => ({ spans: 2, reason: "closed" })));
    expect(ownMessages(messages)).toContain(
      "agent-reliability-otel-labels: exports of traces were still waiting when the relay was closed",
    );
  });

  it("does not wait for an endpoint that never answers", async () => {
    const endpoint = await endpointFor([], { afterwards: () => {} });
    const { relay, losses, post } = await startRelay({ endpoint: endpoint.url });
    await post(exportOf(toolSpan("1")));
    await relay.close();
    expect(losses).toEqual([{ spans: 1, reason: "closed" }]);
  });

  it("tries once more at once, instead of waiting out a pause of its own", async () => {
    const endpoint = await endpointFor([{ status: 503 }]);
    const { relay, losses, post } = await startRelay(
      { endpoint: endpoint.url },
      { firstMilliseconds: 60_000, longestMilliseconds: 60_000, closeMilliseconds: 10_000 },
    );
    await post(exportOf(toolSpan("1")));
    await until(() => endpoint.sent.length === 1);
    await relay.close();
    expect([sentIds(endpoint), losses]).toEqual([["1"], []]);
  });

  it("does not try before an endpoint said that it may", async () => {
    const endpoint = await endpointFor([{ status: 503, headers: { "retry-after": "60" } }]);
    const { relay, losses, post } = await startRelay({ endpoint: endpoint.url });
    await post(exportOf(toolSpan("1")));
    await until(() => endpoint.sent.length === 1);
    await sleep(20);
    await relay.close();
    expect([endpoint.sent.length, losses]).toEqual([1, [{ spans: 1, reason: "closed" }]]);
  });

  it("is not disturbed by an onDropped that throws", async () => {
    const endpoint = await endpointFor([], { afterwards: { status: 503 } });
    const { relay, post } = await startRelay({
      endpoint: endpoint.url,
      onDropped: () => {
        throw new Error("secret");
      },
    });
    await post(exportOf(toolSpan("1")));
    await post(exportOf(toolSpan("2")));
    await relay.close();
  });

  it("comes after a flush that took too long, which says so and does not throw", async () => {
    const messages = hearDiagnostics();
    const endpoint = await endpointFor([], { afterwards: { status: 503 } });
    const { relay, post } = await startRelay({ endpoint: endpoint.url }, { flushMilliseconds: 30 });
    await post(exportOf(toolSpan("1")));
    await relay.forceFlush();
    expect(ownMessages(messages)).toContain(
      "agent-reliability-otel-labels: flushing took too long: exports still wait in the relay",
    );
  });
});

describe("an endpoint behind TLS", () => {
  it("gets exports when its certificate is trusted", async () => {
    const secure = selfSigned();
    const endpoint = await endpointFor([], { secure });
    const { relay, post } = await startRelay({ endpoint: endpoint.url }, { ca: secure.cert });
    await post(exportOf(toolSpan("1")));
    await relay.forceFlush();
    expect([endpoint.url.slice(0, 6), sentIds(endpoint)]).toEqual(["https:", ["1"]]);
  });

  it("gets exports when the environment names a file of its certificate", async () => {
    const secure = selfSigned();
    const folder = mkdtempSync(join(tmpdir(), "otlp-relay-"));
    try {
      const file = join(folder, "endpoint.pem");
      writeFileSync(file, secure.cert);
      vi.stubEnv("OTEL_EXPORTER_OTLP_CERTIFICATE", file);
      const endpoint = await endpointFor([], { secure });
      const { relay, post } = await startRelay({ endpoint: endpoint.url });
      await post(exportOf(toolSpan("1")));
      await relay.forceFlush();
      expect(sentIds(endpoint)).toEqual(["1"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("gets nothing otherwise: exports wait, and it is said why", async () => {
    const messages = hearDiagnostics();
    const endpoint = await endpointFor([], { secure: selfSigned() });
    const { relay, losses, post } = await startRelay({ endpoint: endpoint.url });
    await post(exportOf(toolSpan("1")));
    await relay.close();
    expect([endpoint.sent, losses]).toEqual([[], [{ spans: 1, reason: "closed" }]]);
    expect(messages.join()).toContain("could not be reached (DEPTH_ZERO_SELF_SIGNED_CERT)");
  });
});

describe("what the relay sends", () => {
  it("makes no spans in an application that traces its HTTP calls", async () => {
    const manager = new AsyncLocalStorageContextManager().enable();
    context.setGlobalContextManager(manager);
    const suppressed: boolean[] = [];
    const hear = () => void suppressed.push(isTracingSuppressed(context.active()));
    subscribe("http.client.request.start", hear);
    try {
      const endpoint = await endpointFor();
      const { relay, post } = await startRelay({ endpoint: endpoint.url });
      await post(exportOf(toolSpan("1")));
      await relay.forceFlush();
    } finally {
      unsubscribe("http.client.request.start", hear);
      context.disable();
    }
    expect(suppressed).toEqual([true]);
  });
});

describe("metrics and logs", () => {
  it("pass untouched to their own path of the endpoint", async () => {
    const endpoint = await endpointFor();
    const { relay, post } = await startRelay({ endpoint: `${endpoint.url}/base`, headers: { "x-key": "k" } });
    const bytes = Buffer.from("0a00", "hex");
    expect((await post(bytes, { "content-type": "application/x-protobuf" }, "/v1/metrics")).status).toBe(200);
    expect((await post(gzipSync("{ }"), { "content-encoding": "gzip" }, "/v1/logs")).status).toBe(200);
    await relay.forceFlush();
    const sent = endpoint.sent.map(({ path, body, headers }) => [path, body.toString(), headers["x-key"]]);
    expect(sent).toHaveLength(2);
    expect(sent).toContainEqual(["/base/v1/metrics", bytes.toString(), "k"]);
    expect(sent).toContainEqual(["/base/v1/logs", "{ }", "k"]);
  });

  it("are refused for good, with the reason, where their endpoint is not known", async () => {
    const messages = hearDiagnostics();
    const endpoint = await endpointFor();
    const { post } = await startRelay({ tracesUrl: `${endpoint.url}/ingest` });
    const answer = await post("{}", {}, "/v1/logs");
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain("this relay was not told where exports of this signal go");
    expect(ownMessages(messages)).toHaveLength(1);
  });
});

describe("a body that is hostile", () => {
  const deep = (depth: number) => `{"resourceSpans":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  const nestedMessages = (depth: number, ...numbers: number[]): Uint8Array => {
    let message: Uint8Array = new Uint8Array();
    for (let level = 0; level < depth; level += 1) {
      for (const number of numbers) message = encodeMessage({ [number]: message });
    }
    return message;
  };

  it.each<[string, string | Uint8Array, string, number]>([
    ["no JSON", "{", "application/json", 400],
    ["no export", "[]", "application/json", 400],
    ["no protobuf", "{}", "application/x-protobuf", 400],
    ["protobuf cut off", Buffer.from("0a05", "hex"), "application/x-protobuf", 400],
    ["protobuf groups", Buffer.from("0b0c", "hex"), "application/x-protobuf", 400],
    [
      "protobuf values that are deep",
      // Of a resource's attribute.
      nestedMessages(1, ...new Array(200).fill([1, 5]).flat(), 2, 1, 1, 1),
      "application/x-protobuf",
      400,
    ],
    ["gRPC's content type", "", "application/grpc", 415],
    ["too large", "{}".padEnd(17 * 1024 * 1024), "application/json", 413],
    ["deep", deep(200_000), "application/json", 200],
  ])("(%s) is refused or passed on, and the next export passes", async (_name, body, contentType, status) => {
    const endpoint = await endpointFor();
    const { relay, post } = await startRelay({ endpoint: endpoint.url });
    expect((await post(body, { "content-type": contentType })).status).toBe(status);
    expect((await post(exportOf(toolSpan("1")))).status).toBe(200);
    await relay.forceFlush();
    expect(endpoint.sent.filter((one) => one.body.includes("tool.call.id"))).toHaveLength(1);
    expect(endpoint.sent).toHaveLength(status === 200 ? 2 : 1);
  });

  it("(a bomb) does not unfold", async () => {
    const endpoint = await endpointFor();
    const { post } = await startRelay({ endpoint: endpoint.url });
    const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024));
    expect((await post(bomb, { "content-encoding": "gzip" })).status).toBe(413);
  });
});

describe("starting", () => {
  it("refuses a relay whose endpoint is itself, by any name of it", async () => {
    const free = await startEndpoint();
    await free.close();
    for (const name of ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433"]) {
      const started = startOtlpRelay({
        endpoint: `http://${name}:${free.port}`,
        port: free.port,
        labelsOf: () => undefined,
      });
      await expect(started, name).rejects.toMatchObject({ code: "loop" });
    }
  });

  it("frees the port of a relay that it refuses, and takes an endpoint on another port", async () => {
    const endpoint = await endpointFor();
    const relay = closing(await startOtlpRelay({ endpoint: endpoint.url, labelsOf: () => undefined }));
    const { port } = relay;
    await relay.close();
    const looping = startOtlpRelay({ endpoint: `http://127.0.0.1:${port}`, port, labelsOf: () => undefined });
    await expect(looping).rejects.toMatchObject({ code: "loop" });
    closing(await startOtlpRelay({ endpoint: endpoint.url, port, labelsOf: () => undefined }));
  });

  it("ends a loop through another relay: the export is refused when it comes back", async () => {
    const messages = hearDiagnostics();
    const free = await startEndpoint();
    await free.close();
    const first = await startRelay({ endpoint: `http://127.0.0.1:${free.port}` });
    const second = await startRelay({ endpoint: first.relay.url, port: free.port });
    await first.post(exportOf(toolSpan("1")));
    await first.relay.forceFlush();
    await second.relay.forceFlush();
    expect(second.losses).toEqual([{ spans: 1, reason: "refused" }]);
    expect(messages.join()).toContain("its endpoint leads back to it");
  });

  it("reads the endpoint and the headers from the environment", async () => {
    const endpoint = await endpointFor();
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.url);
    vi.stubEnv(
      "OTEL_EXPORTER_OTLP_HEADERS",
      "authorization=Bearer%20x,content-type=text/plain,Content-Encoding=gzip,transfer-encoding=chunked",
    );
    const { relay, post } = await startRelay({});
    await post(exportOf(toolSpan("1")));
    await relay.forceFlush();
    expect(endpoint.sent[0]?.headers).toMatchObject({
      authorization: "Bearer x",
      "content-type": "application/json",
    });
    expect(endpoint.sent[0]?.headers).not.toHaveProperty("content-encoding");
    expect(endpoint.sent[0]?.headers).not.toHaveProperty("transfer-encoding");
  });

  it.each([
    { holdMilliseconds: -1 },
    { holdMilliseconds: Number.NaN },
    { maxQueuedBytes: 0 },
    { maxQueuedBytes: 0.5 },
    { labelsOf: undefined as never },
  ])("refuses %o", async (wrong) => {
    await expect(
      startOtlpRelay({ endpoint: "http://127.0.0.1:1", labelsOf: () => undefined, ...wrong }),
    ).rejects.toMatchObject({ code: "bad_option" });
  });

  it("says that a port is in use", async () => {
    const endpoint = await endpointFor();
    const started = startOtlpRelay({
      tracesUrl: "http://127.0.0.1:1",
      port: endpoint.port,
      labelsOf: () => undefined,
    });
    await expect(started).rejects.toMatchObject({ code: "port_in_use" });
  });

  it("takes exports only from who was told its url, unless the port was chosen to be written down", async () => {
    const endpoint = await endpointFor();
    const { relay, url: secret } = await startRelay({ endpoint: endpoint.url }).then((started) => ({
      ...started,
      url: new URL(started.relay.url),
    }));
    const send = (base: string) =>
      fetch(`${base}/v1/traces`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"resourceSpans":[]}',
      }).then(({ status }) => status);
    const wrong = secret.pathname.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    expect(await send(secret.origin)).toBe(404);
    expect(await send(`${secret.origin}${wrong}`)).toBe(404);
    expect(await send(`${secret.origin}/x${secret.pathname}`)).toBe(404);
    expect(await send(relay.url)).toBe(200);
    const other = await startRelay({ endpoint: endpoint.url });
    expect(new URL(other.relay.url).pathname).not.toBe(secret.pathname);
    const { port } = other.relay;
    await other.relay.close();
    const plain = await startRelay({ endpoint: endpoint.url, port });
    expect(plain.relay.url).toBe(`http://127.0.0.1:${port}`);
    expect(await send(plain.relay.url)).toBe(200);
  });

  it("listens on this machine only unless told otherwise", async () => {
    const { relay } = await startRelay({ endpoint: "http://127.0.0.1:1" });
    expect(relay.url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${relay.port}/[0-9a-f]{32}$`));
    const [error] = await once(connect(relay.port, "127.0.0.2"), "error");
    expect(error).toMatchObject({ code: "ECONNREFUSED" });
  });
});
