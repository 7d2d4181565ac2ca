import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { deflateSync, gzipSync } from "node:zlib";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { afterEach, describe, expect, it } from "vitest";
import {
  type OtlpReceiver,
  type Received,
  type ReceiverOptions,
  Refusal,
  startOtlpReceiver,
  type TraceRequest,
} from "../../src/otlp-receiver/index.ts";
import { readOtlp } from "../../src/verify/read/read-otlp.ts";

const open: OtlpReceiver[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((receiver) => receiver.close()));
});

/** A receiver on a free port that keeps what it gets. */
async function receive(options: Partial<ReceiverOptions> = {}) {
  const requests: TraceRequest[] = [];
  const refused: string[] = [];
  const ignored: string[] = [];
  const receiver = await startOtlpReceiver({
    port: 0,
    onTraces: (request) => {
      requests.push(request);
      return undefined;
    },
    onRefused: ({ code }) => refused.push(code),
    onIgnored: (signal) => ignored.push(signal),
    ...options,
  });
  open.push(receiver);
  const post = (body: string | Uint8Array, headers: Record<string, string> = {}, path = "/v1/traces") =>
    fetch(`${receiver.url}${path}`, {
      method: "POST",
      body: body as never,
      headers: { "content-type": "application/json", ...headers },
    });
  const spanNames = () => requests.flatMap((request) => readOtlp(request).spans.map((span) => span.name));
  return { receiver, requests, refused, ignored, post, spanNames };
}

const span = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", name: "one" };
const exportOf = (...spans: object[]) => JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
const EMPTY = exportOf();

async function until(condition: () => boolean): Promise<void> {
  const giveUp = Date.now() + 5_000;
  while (!condition()) {
    if (Date.now() > giveUp) throw new Error("it did not happen");
    await sleep(10);
  }
}

describe("startOtlpReceiver", () => {
  describe.each([
    ["JSON", JsonExporter],
    ["protobuf", ProtobufExporter],
  ])("with OpenTelemetry's own %s exporter", (_name, Exporter) => {
    it.each([
      ["plain", "none"],
      ["gzip", "gzip"],
    ])("takes in what it sends, %s", async (_kind, compression) => {
      const { receiver, spanNames, refused } = await receive();
      const exporter = new Exporter({ url: `${receiver.url}/v1/traces`, compression: compression as never });
      const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
      for (const name of ["a", "b", "c"]) provider.getTracer("test").startSpan(name).end();
      await provider.shutdown();
      expect(spanNames().sort()).toEqual(["a", "b", "c"]);
      expect(refused).toEqual([]);
    });
  });

  it("listens on this machine only unless told otherwise", async () => {
    const { receiver } = await receive();
    expect(receiver.url).toBe(`http://127.0.0.1:${receiver.port}`);
    // Another address of the same machine: nobody listens there.
    await expect(fetch(`http://127.0.0.2:${receiver.port}/v1/traces`)).rejects.toThrow();
  });

  it("writes an IPv6 address as a url has it", async () => {
    const { receiver } = await receive({ host: "::1" });
    expect(receiver.url).toBe(`http://[::1]:${receiver.port}`);
  });

  describe("answers as OTLP asks", () => {
    it("200 with an empty response of the same content type", async () => {
      const { post } = await receive();
      const json = await post(EMPTY);
      expect([json.status, json.headers.get("content-type"), await json.text()]).toEqual([
        200,
        "application/json",
        "{}",
      ]);
      const protobuf = await post(new Uint8Array(), { "content-type": "application/x-protobuf" });
      expect([protobuf.status, protobuf.headers.get("content-type"), await protobuf.text()]).toEqual([
        200,
        "application/x-protobuf",
        "",
      ]);
    });

    it("partial success when spans were not accepted", async () => {
      const { post } = await receive({ onTraces: () => ({ spans: 2, message: "no ids" }) });
      expect(await (await post(EMPTY)).json()).toEqual({
        partialSuccess: { rejectedSpans: "2", errorMessage: "no ids" },
      });
      const protobuf = await post(new Uint8Array(), { "content-type": "application/x-protobuf" });
      expect([...new Uint8Array(await protobuf.arrayBuffer())]).toEqual([
        0x0a,
        10,
        0x08,
        2,
        0x12,
        6,
        ...Buffer.from("no ids"),
      ]);
    });

    it.each<[string, string | Uint8Array, Record<string, string>, number, string]>([
      ["text that is not JSON", "{", {}, 400, "bad_json"],
      ["an empty JSON body", "", {}, 400, "bad_json"],
      ["a JSON array", "[]", {}, 400, "not_a_trace_request"],
      ["a JSON null", "null", {}, 400, "not_a_trace_request"],
      ["spans that are no list", '{"resourceSpans":{}}', {}, 400, "not_a_trace_request"],
      [
        "bytes that are not protobuf",
        "{}",
        { "content-type": "application/x-protobuf" },
        400,
        "bad_protobuf",
      ],
      ["text that is not gzip", EMPTY, { "content-encoding": "gzip" }, 400, "bad_compression"],
      [
        "gzip that stops half way",
        gzipSync(EMPTY).subarray(0, 30),
        { "content-encoding": "gzip" },
        400,
        "bad_compression",
      ],
      ["another compression", EMPTY, { "content-encoding": "br" }, 415, "bad_content_encoding"],
      [
        "a compression by the name of an object's member",
        EMPTY,
        { "content-encoding": "constructor" },
        415,
        "bad_content_encoding",
      ],
      ["another content type", EMPTY, { "content-type": "text/plain" }, 415, "bad_content_type"],
    ])("%s is refused", async (_name, body, headers, status, code) => {
      const { post, refused, requests } = await receive();
      const response = await post(body, headers);
      expect(response.status).toBe(status);
      expect(refused).toEqual([code]);
      expect(requests).toEqual([]);
    });

    it("says what was wrong as google.rpc.Status, in the request's encoding", async () => {
      const { post } = await receive();
      expect(await (await post("{")).json()).toEqual({ code: 3, message: "the body is not JSON" });
      const protobuf = await post("{}", { "content-type": "application/x-protobuf" });
      const message = "the body is not a protobuf message";
      expect(Buffer.from(await protobuf.arrayBuffer())).toEqual(
        Buffer.concat([Buffer.from([0x08, 3, 0x12, message.length]), Buffer.from(message)]),
      );
    });

    it("404 at another path, with the right one in the message", async () => {
      const { post, refused } = await receive();
      for (const path of ["/", "/v1/traces/", "/v1/trace", "/constructor"]) {
        const response = await post(EMPTY, {}, path);
        expect(response.status).toBe(404);
        expect(await response.text()).toContain("/v1/traces");
      }
      expect(new Set(refused)).toEqual(new Set(["bad_path"]));
    });

    it("405 for another method", async () => {
      const { receiver } = await receive();
      for (const method of ["GET", "PUT", "OPTIONS"]) {
        const response = await fetch(`${receiver.url}/v1/traces`, { method });
        expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
      }
    });

    it("500 when the export could not be taken in, without the reason's text", async () => {
      const { post, refused } = await receive({
        onTraces: () => {
          throw new Error("secret");
        },
      });
      const response = await post(EMPTY);
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain("secret");
      expect(refused).toEqual(["failed"]);
    });
  });

  it("takes gzip and deflate, any case of the headers, and a charset", async () => {
    const { post, spanNames } = await receive();
    const body = exportOf(span);
    for (const [sent, headers] of [
      [gzipSync(body), { "content-encoding": "GZIP" }],
      [deflateSync(body), { "content-encoding": "deflate" }],
      [
        Buffer.from(body),
        { "content-encoding": "identity", "content-type": "Application/JSON; charset=utf-8" },
      ],
    ] as const) {
      expect((await post(sent, headers)).status).toBe(200);
    }
    expect(spanNames()).toEqual(["one", "one", "one"]);
  });

  it("hands out the body as it came, decompressed, with its headers", async () => {
    const received: Received[] = [];
    const { post } = await receive({
      onTraces: (_request, one) => {
        received.push(one);
        return undefined;
      },
      onIgnored: (_signal, one) => received.push(one),
    });
    await post(`${EMPTY} `, { "content-encoding": "identity", "x-test": "1" });
    await post(gzipSync(EMPTY), { "content-encoding": "gzip" });
    await post(new Uint8Array([0xff]), { "content-type": "application/x-protobuf" }, "/v1/logs");
    expect(
      received.map(({ body, contentType, compressed }) => [
        Buffer.from(body).toString("latin1"),
        contentType,
        compressed,
      ]),
    ).toEqual([
      [`${EMPTY} `, "application/json", false],
      [EMPTY, "application/json", true],
      ["\xff", "application/x-protobuf", false],
    ]);
    expect(received[0]?.headers["x-test"]).toBe("1");
  });

  it("answers with the refusal that a handler throws, for every signal", async () => {
    const { post, refused } = await receive({
      onTraces: () => {
        throw new Refusal("overloaded");
      },
      onIgnored: async () => {
        throw new Refusal("nowhere_to_go");
      },
    });
    const overloaded = await post(EMPTY);
    expect([overloaded.status, overloaded.headers.get("retry-after")]).toEqual([503, "1"]);
    expect((await post(EMPTY, {}, "/v1/metrics")).status).toBe(404);
    expect(refused).toEqual(["overloaded", "nowhere_to_go"]);
  });

  it("takes logs and metrics and drops them", async () => {
    const { post, ignored, requests } = await receive();
    for (const path of ["/v1/logs", "/v1/metrics"]) {
      expect((await post('{"anything":1}', {}, path)).status).toBe(200);
      expect(
        (await post(new Uint8Array([1]), { "content-type": "application/x-protobuf" }, path)).status,
      ).toBe(200);
    }
    expect(ignored).toEqual(["logs", "logs", "metrics", "metrics"]);
    expect(requests).toEqual([]);
  });

  describe("with a body over the limit", () => {
    const limits = { maxBodyBytes: 10_000 };

    it("refuses it by its announced length, before it is sent", async () => {
      const { receiver, refused } = await receive({ limits });
      const request = httpRequest(`${receiver.url}/v1/traces`, {
        method: "POST",
        headers: { "content-type": "application/json", "content-length": 10_001 },
      });
      request.on("error", () => {});
      request.flushHeaders();
      const [response] = await once(request, "response");
      expect(response.statusCode).toBe(413);
      request.destroy();
      expect(refused).toEqual(["too_large"]);
    });

    it("refuses it while it arrives, when no length was announced", async () => {
      const { receiver, refused } = await receive({ limits });
      const request = httpRequest(`${receiver.url}/v1/traces`, {
        method: "POST",
        headers: { "content-type": "application/json" },
      });
      request.on("error", () => {});
      for (let piece = 0; piece < 11; piece += 1) request.write("x".repeat(1_000));
      const [response] = await once(request, "response");
      expect(response.statusCode).toBe(413);
      expect(response.headers.connection).toBe("close");
      request.destroy();
      expect(refused).toEqual(["too_large"]);
    });

    it("refuses a small body that unfolds to a large one", async () => {
      const { post, refused } = await receive({ limits });
      const bomb = gzipSync(Buffer.alloc(5_000_000));
      expect(bomb.length).toBeLessThan(10_000);
      expect((await post(bomb, { "content-encoding": "gzip" })).status).toBe(413);
      expect(refused).toEqual(["too_large"]);
    });

    it("takes one that is as long as the limit", async () => {
      const { post } = await receive({ limits });
      expect((await post(EMPTY.padEnd(10_000))).status).toBe(200);
    });

    it("has a limit of 16 MiB by default, before and after decompression", async () => {
      const { post } = await receive();
      const limit = 16 * 1024 * 1024;
      expect((await post(gzipSync(EMPTY.padEnd(limit)), { "content-encoding": "gzip" })).status).toBe(200);
      expect((await post(gzipSync(EMPTY.padEnd(limit + 1)), { "content-encoding": "gzip" })).status).toBe(
        413,
      );
    });
  });

  it("answers 503 when all requests together hold too much, and recovers", async () => {
    let goOn: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { post, refused } = await receive({
      limits: { maxHeldBytes: 1_000 },
      onTraces: async () => {
        await held;
        return undefined;
      },
    });
    const first = post(EMPTY.padEnd(800));
    await sleep(50);
    const second = await post(EMPTY.padEnd(800));
    expect([second.status, second.headers.get("retry-after")]).toEqual([503, "1"]);
    goOn();
    expect((await first).status).toBe(200);
    expect((await post(EMPTY.padEnd(800))).status).toBe(200);
    expect(refused).toEqual(["overloaded"]);
  });

  it("takes in fifty clients at the same time", async () => {
    const { post, spanNames } = await receive();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        post(gzipSync(exportOf({ ...span, name: `span ${index}` })), { "content-encoding": "gzip" }),
      ),
    );
    expect(responses.every((response) => response.status === 200)).toBe(true);
    expect(new Set(spanNames()).size).toBe(50);
  });

  describe("with a client that misbehaves", () => {
    const head = (length: number) =>
      `POST /v1/traces HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

    it.each(["destroy", "end"] as const)("notices one that stops half way (%s)", async (how) => {
      const { receiver, requests, refused, post } = await receive();
      const socket = connect(receiver.port, "127.0.0.1");
      socket.on("error", () => {});
      socket.write(`${head(1_000)}{"resourceSpans":[`);
      await sleep(50);
      socket[how]();
      await until(() => refused.length > 0);
      expect(refused).toEqual(["cut_off"]);
      expect(requests).toEqual([]);
      expect((await post(EMPTY)).status).toBe(200);
      socket.destroy();
    });

    it("gives up on one that sends its body too slowly", async () => {
      const { receiver, refused } = await receive({
        limits: { requestMilliseconds: 300, headersMilliseconds: 200 },
      });
      const socket = connect(receiver.port, "127.0.0.1");
      socket.write(`${head(1_000)}{`);
      const [answer] = await once(socket, "data");
      expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
      await once(socket, "close");
      await until(() => refused.length > 0);
      expect(refused).toEqual(["cut_off"]);
    });

    it("gives up on one that sends its headers too slowly", async () => {
      const { receiver } = await receive({ limits: { requestMilliseconds: 300, headersMilliseconds: 200 } });
      const socket = connect(receiver.port, "127.0.0.1");
      socket.write("POST /v1/traces HTTP/1.1\r\n");
      const [answer] = await once(socket, "data");
      expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
      await once(socket, "close");
    });

    it.each([
      ["gRPC", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "grpc"],
      ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "tls"],
      ["neither", "hello there\r\n\r\n", "bad_http"],
    ])("tells one that speaks %s", async (_name, bytes, code) => {
      const { receiver, refused } = await receive();
      const socket = connect(receiver.port, "127.0.0.1");
      socket.on("error", () => {});
      socket.resume();
      socket.write(bytes, "latin1");
      await once(socket, "close");
      expect(refused).toEqual([code]);
    });
  });

  describe("when it is closed", () => {
    it("takes in the request that is arriving", async () => {
      const { receiver, spanNames } = await receive();
      const body = exportOf(span);
      const request = httpRequest(`${receiver.url}/v1/traces`, {
        method: "POST",
        headers: { "content-type": "application/json", "content-length": body.length },
      });
      request.write(body.slice(0, 20));
      await sleep(50);
      const closed = receiver.close();
      await sleep(200);
      request.end(body.slice(20));
      const [response] = await once(request, "response");
      expect(response.statusCode).toBe(200);
      response.resume();
      await closed;
      expect(spanNames()).toEqual(["one"]);
    });

    it("takes in what lies in the buffers of a connection whose sender is gone", async () => {
      const { receiver, spanNames } = await receive();
      const body = exportOf(span);
      const socket = connect(receiver.port, "127.0.0.1");
      await once(socket, "connect");
      socket.end(
        `POST /v1/traces HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      await receiver.close();
      expect(spanNames()).toEqual(["one"]);
    });

    it("ends connections that are idle, and answers no more", async () => {
      const { receiver, post } = await receive();
      await post(EMPTY);
      const idle = connect(receiver.port, "127.0.0.1");
      await once(idle, "connect");
      await receiver.close();
      await once(idle, "close");
      await expect(post(EMPTY)).rejects.toThrow();
      await receiver.close();
    });
  });

  it("says that a port is in use", async () => {
    const { receiver } = await receive();
    await expect(startOtlpReceiver({ port: receiver.port, onTraces: () => undefined })).rejects.toMatchObject(
      {
        code: "port_in_use",
        message: `another program is using 127.0.0.1:${receiver.port}`,
      },
    );
  });

  it("says that an address is not one of this machine", async () => {
    await expect(
      startOtlpReceiver({ host: "192.0.2.1", port: 0, onTraces: () => undefined }),
    ).rejects.toMatchObject({ code: "address_unavailable" });
  });
});
