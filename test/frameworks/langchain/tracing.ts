/** One tracer provider per test file, with the instrumentation under test on it, and what a scenario needs to look at. */

import { awaitAllCallbacks } from "@langchain/core/callbacks/promises";
import { context, type Span, trace } from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { expect } from "vitest";
import { type RunHandle, withRun } from "../../../src/index.ts";
import { type Report, readOtlp, verify } from "../../../src/verify/index.ts";

const exporter = new InMemorySpanExporter();
export const provider: NodeTracerProvider = new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
});
provider.register();
const tracer = provider.getTracer("application");

/** Every finished span so far, after LangChain has told its handlers everything; forgets them. */
export async function takeSpans(): Promise<ReadableSpan[]> {
  await awaitAllCallbacks();
  const spans = exporter.getFinishedSpans();
  exporter.reset();
  return spans;
}

/** A span that stands for the application's request: nothing of ours belongs on it. */
export function inRequest<Result>(fn: () => Promise<Result>): Promise<Result> {
  return inSpan("POST /chat", { "http.request.method": "POST" }, fn);
}

/** One run of an agent, on a root span of the application. */
export function inRun<Result>(fn: (run: RunHandle["run"]) => Promise<Result>): Promise<Result> {
  return inSpan("invoke_agent helper", { "gen_ai.operation.name": "invoke_agent" }, (root) =>
    withRun(root, fn),
  );
}

async function inSpan<Result>(
  name: string,
  attributes: Record<string, string>,
  fn: (span: Span) => Promise<Result>,
): Promise<Result> {
  const span = tracer.startSpan(name, { attributes });
  try {
    return await context.with(trace.setSpan(context.active(), span), () => fn(span));
  } finally {
    span.end();
  }
}

export const labelsOf = (span: ReadableSpan | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(span?.attributes ?? {}).filter(([name]) => name.startsWith("trustabl.")));

/** Verified as a receiver would: from the OTLP JSON. */
export function verified(spans: readonly ReadableSpan[]): Report {
  const request = JsonTraceSerializer.serializeRequest([...spans]);
  return verify(readOtlp(JSON.parse(new TextDecoder().decode(request))).spans);
}

/** No label of ours stands anywhere but on `labelled`. */
export function expectNoOtherLabels(spans: readonly ReadableSpan[], labelled: readonly ReadableSpan[]): void {
  const others = spans.filter((span) => !labelled.includes(span) && Object.keys(labelsOf(span)).length > 0);
  expect(others.map((span) => [span.name, labelsOf(span)])).toEqual([]);
}
