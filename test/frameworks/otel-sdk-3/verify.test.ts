import { context, trace } from "@opentelemetry/api";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  BatchSpanProcessor,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type SpanExporter,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { describe, expect, it } from "vitest";
import { withRun, wrapTool } from "../../../src/index.ts";
import { startOtlpReceiver, type TraceRequest } from "../../../src/otlp-receiver/index.ts";
import { readOtlp, verify } from "../../../src/verify/index.ts";
import { toolSpanAttributes, useContextManager } from "../../support/tracing.ts";

useContextManager();

const search = wrapTool({ name: "search", sideEffect: "read" }, async (args: { q: string }) => [args.q]);

/** One labelled run of three calls, two of them the same. */
async function runAgent(provider: TracerProvider): Promise<void> {
  const tracer = provider.getTracer("agent");
  const root = tracer.startSpan("invoke_agent helper", {
    attributes: { "gen_ai.operation.name": "invoke_agent" },
  });
  await context.with(trace.setSpan(context.active(), root), () =>
    withRun(root, async () => {
      for (const q of ["a", "b", "a"]) {
        const span = tracer.startSpan("execute_tool search", {
          attributes: toolSpanAttributes("search", `call-${q}`),
        });
        await context.with(trace.setSpan(context.active(), span), () => search({ q }));
        span.end();
      }
    }),
  );
  root.end();
}

const expected = { verdict: "pass", examined: { spans: 4, toolSpans: 3, runs: 1 } };

describe("verifying what SDK 3.x makes", () => {
  it("reads its finished spans", async () => {
    const exporter = new InMemorySpanExporter();
    await runAgent(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
    expect(verify(exporter.getFinishedSpans())).toMatchObject(expected);
  });

  it.each([
    ["JSON", "none", (url: string): SpanExporter => new JsonExporter({ url })],
    ["JSON", "gzip", (url: string): SpanExporter => new JsonExporter({ url, compression: "gzip" as never })],
    ["protobuf", "none", (url: string): SpanExporter => new ProtobufExporter({ url })],
    [
      "protobuf",
      "gzip",
      (url: string): SpanExporter => new ProtobufExporter({ url, compression: "gzip" as never }),
    ],
  ])("reads what its %s exporter sends with compression %s", async (_encoding, _compression, exporterFor) => {
    const requests: TraceRequest[] = [];
    const receiver = await startOtlpReceiver({
      port: 0,
      onTraces: (request) => {
        requests.push(request);
        return undefined;
      },
    });
    const exporter = exporterFor(`${receiver.url}/v1/traces`);
    const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
    await runAgent(provider);
    await provider.shutdown();
    await receiver.close();
    const spans = requests.flatMap((request) => readOtlp(request as object).spans);
    expect(verify(spans)).toMatchObject(expected);
  });
});

// Bytes attributes are new in SDK 3.
describe("an attribute of bytes or of nested values", () => {
  it("does not disturb the checks", async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
    const span = provider.getTracer("agent").startSpan("execute_tool search", {
      attributes: {
        ...toolSpanAttributes("search"),
        bytes: new Uint8Array([1]),
        map: { a: [null, { b: 1 }] },
      } as never,
    });
    await context.with(trace.setSpan(context.active(), span), () => search({ q: "x" }));
    span.end();
    const { checks } = verify(exporter.getFinishedSpans());
    expect(checks.find(({ id }) => id === "label-values-valid")?.outcome).toBe("pass");
  });
});
