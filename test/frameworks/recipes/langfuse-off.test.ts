import { setLangfuseTracerProvider } from "@langfuse/tracing";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { expect, it } from "vitest";
import { scenario } from "../scenario.ts";
import { answer } from "./langfuse-documented.ts";

it(
  "writes nothing where Langfuse's spans do not record",
  scenario("Langfuse observe 5.11", "telemetry-off"),
  async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const exporter = new InMemorySpanExporter();
    const application = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    setLangfuseTracerProvider(null);
    const request = application.getTracer("application").startSpan("POST /chat");
    await context.with(trace.setSpan(context.active(), request), async () => {
      expect(await answer(["JFK"])).toBe("done");
    });
    request.end();
    const [span] = exporter.getFinishedSpans();
    expect(span?.name).toBe("POST /chat");
    expect(Object.keys(span?.attributes ?? {}).filter((name) => name.startsWith("trustabl."))).toEqual([]);
  },
);
