/**
 * Records test/fixtures/otlp/ai-sdk-6-labelled.json: one run of the real AI SDK 6 with a scripted model, labelled with
 * this package, exported with OpenTelemetry's own OTLP JSON serialiser. Run it by hand when labels change on purpose.
 */
import { writeFileSync } from "node:fs";
import { type Span, trace } from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { generateText, stepCountIs, type ToolSet, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { z } from "zod";
import { markHandoff, withRun, wrapTool } from "../src/index.ts";

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
});
provider.register();
const tracer = provider.getTracer("flight-desk");

type Call = readonly [id: string, name: string, args: unknown];

/** A model that makes the calls of each turn and then answers. */
function scripted(turns: readonly (readonly Call[])[], answer: string): MockLanguageModelV3 {
  let turn = 0;
  return new MockLanguageModelV3({
    modelId: "scripted",
    doGenerate: async () => {
      const calls = turns[turn] ?? [];
      turn += 1;
      return {
        content:
          calls.length === 0
            ? [{ type: "text", text: answer }]
            : calls.map(([toolCallId, toolName, args]) => ({
                type: "tool-call",
                toolCallId,
                toolName,
                input: JSON.stringify(args),
              })),
        finishReason: { unified: calls.length === 0 ? "stop" : "tool-calls", raw: undefined },
        usage: {
          inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 5, text: 5, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
}

const flight = z.object({ from: z.string(), to: z.string() });

const hotelTools: ToolSet = {
  find_hotels: tool({
    inputSchema: z.object({ city: z.string() }),
    execute: wrapTool({ name: "find_hotels", sideEffect: "read" }, ({ city }: { city: string }) => ({
      hotels: [`Grand ${city}`],
    })),
  }),
};

/** A delegated agent: an AI SDK call of its own, below the outer agent's tool call. */
async function askHotelAgent(): Promise<string> {
  const model = scripted([[["call_h1", "find_hotels", { city: "New York" }]]], "Stay at the Grand.");
  // The delegated agent's span is the AI SDK's own; it is current while its model is called.
  const generate = model.doGenerate.bind(model);
  let marked = false;
  model.doGenerate = async (options) => {
    const span = agentSpans.at(-1);
    if (!marked && span !== undefined) markHandoff(span, "hotel-desk-1");
    marked = true;
    return await generate(options);
  };
  const { text } = await generateText({
    model,
    prompt: "A hotel, please.",
    tools: hotelTools,
    stopWhen: stepCountIs(3),
    experimental_telemetry: { isEnabled: true, functionId: "hotel-desk", tracer: noticing },
  });
  return text;
}

const agentSpans: Span[] = [];
/** The application's tracer, noticing the AI SDK's agent spans. */
const noticing = new Proxy(tracer, {
  get: (target, name, receiver) => {
    const value: unknown = Reflect.get(target, name, receiver);
    if (name !== "startActiveSpan" || typeof value !== "function") return value;
    return (spanName: string, options: object, fn: (span: Span) => unknown) =>
      target.startActiveSpan(spanName, options, (span) => {
        if (spanName === "ai.generateText") agentSpans.push(span);
        return fn(span);
      });
  },
});

const flightTools: ToolSet = {
  search_flights: tool({
    inputSchema: flight,
    execute: wrapTool(
      { name: "search_flights", sideEffect: "read" },
      async ({ to }: z.infer<typeof flight>) => ({
        flights: to === "JFK" ? ["Morning departure at nine", "Evening departure at six"] : [],
      }),
    ),
  }),
  book_flight: tool({
    inputSchema: z.object({ flight: z.string() }),
    execute: wrapTool(
      { name: "book_flight", sideEffect: "irreversible", errorClass: () => "timeout" as const },
      (): string => {
        throw new Error("The booking desk did not answer in time");
      },
    ),
  }),
  ask_hotel_agent: tool({
    inputSchema: z.object({}),
    execute: wrapTool({ name: "ask_hotel_agent", sideEffect: "read" }, () => askHotelAgent()),
  }),
};

const search = { from: "SFO", to: "JFK" };
await tracer.startActiveSpan("GET /trip", async (request) => {
  await tracer.startActiveSpan(
    "invoke_agent flight-desk",
    { attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "flight-desk" } },
    async (root) => {
      await withRun(
        root,
        () =>
          generateText({
            model: scripted(
              [
                [
                  ["call_1", "search_flights", search],
                  ["call_2", "search_flights", { from: "SFO", to: "EWR" }],
                ],
                [["call_3", "search_flights", search]],
                [["call_4", "book_flight", { flight: "Morning departure at nine" }]],
                [["call_5", "ask_hotel_agent", {}]],
              ],
              "The booking desk is slow today; the hotel is found.",
            ),
            prompt: "A trip to New York, please.",
            tools: flightTools,
            stopWhen: stepCountIs(8),
            experimental_telemetry: { isEnabled: true, functionId: "flight-desk", tracer },
          }),
        {
          policies: [
            {
              id: "egress-sandbox",
              type: "sandbox",
              sha256: "3b1c5a0f6a2d4b8e9c7d1e2f3a4b5c6d7e8f90123456789abcdef0123456789a",
              version: "2026-11-01",
              required: true,
              source: "entrypoint",
            },
            {
              id: "content-safety",
              type: "content_safety",
              sha256: "9f2e4d6c8b0a1f3e5d7c9b8a7f6e5d4c3b2a1908f7e6d5c4b3a29180f7e6d5c4",
              version: "7",
              required: false,
              source: "sidecar",
            },
          ],
        },
      );
      root.end();
    },
  );
  request.end();
});
await provider.forceFlush();

const spans = exporter.getFinishedSpans();
const bytes = JsonTraceSerializer.serializeRequest(spans);
const request: unknown = JSON.parse(new TextDecoder().decode(bytes));
// A throwing tool's stack trace names files of this machine, and the resource its programs.
const text = JSON.stringify(request, (key, value: unknown) => {
  if (key === "resource")
    return { attributes: [{ key: "service.name", value: { stringValue: "flight-desk" } }] };
  if (key !== "attributes" || !Array.isArray(value)) return value;
  return value.filter((attribute: { key?: string }) => attribute.key !== "exception.stacktrace");
});
const file = new URL("../test/fixtures/otlp/ai-sdk-6-labelled.json", import.meta.url);
writeFileSync(file, `${text}\n`);
await provider.shutdown();
trace.disable();
console.log(`${file.pathname.split("/").slice(-3).join("/")}: ${spans.length} spans`);
