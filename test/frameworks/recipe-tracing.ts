/** One tracer provider per test file of a recipe, and what a scenario needs to look at. */
import { context, type Span, trace } from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { expect } from "vitest";
import { type Run, type WithRunOptions, withRun } from "../../src/index.ts";
import { ToolSpanTracker } from "../../src/tracker/index.ts";
import { readOtlp, verify } from "../../src/verify/index.ts";

const exporter = new InMemorySpanExporter();
let tracer = trace.getTracer("application");

/** Registers the provider, as an application does at its start. */
export function startTracing(): void {
  const provider = new NodeTracerProvider({
    spanProcessors: [new ToolSpanTracker(), new SimpleSpanProcessor(exporter)],
  });
  provider.register();
  tracer = provider.getTracer("application");
}

/** Every finished span so far; forgets them. */
export function takeSpans(): ReadableSpan[] {
  const spans = exporter.getFinishedSpans();
  exporter.reset();
  return spans;
}

/** A span that stands for the application's request: nothing of ours belongs on it. */
export function inRequest<Result>(fn: () => Promise<Result>): Promise<Result> {
  return inSpan("POST /chat", { "http.request.method": "POST" }, fn);
}

/** One run of an agent, on a root span of the application. */
export function inRun<Result>(
  fn: (run: Run) => Promise<Result>,
  options: WithRunOptions<Promise<Result>> = {},
): Promise<Result> {
  return inSpan("invoke_agent helper", { "gen_ai.operation.name": "invoke_agent" }, (root) =>
    withRun(root, fn, options),
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

const isLabelled = (span: ReadableSpan) => Object.keys(labelsOf(span)).length > 0;
const isRoot = (span: ReadableSpan) => "trustabl.exit_reason" in span.attributes;
export const isDelegated = (span: ReadableSpan): boolean => "trustabl.handoff_id" in span.attributes;

/**
 * Every scenario: each tool span labelled, nothing of ours elsewhere but on roots and delegated agents, and a verifier, which
 * reads the OTLP JSON as a receiver would, that finds nothing wrong.
 *
 * @param unknown what the verifier cannot tell of this framework's spans: the reasons it gives
 * @returns the calls' spans, in the order of their steps
 */
export function checked(
  spans: readonly ReadableSpan[],
  isTool: (span: ReadableSpan) => boolean,
  calls: number,
  unknown: readonly string[] = [],
): ReadableSpan[] {
  const toolSpans = spans
    .filter(isTool)
    .sort(
      (a, b) => Number(a.attributes["trustabl.step_index"]) - Number(b.attributes["trustabl.step_index"]),
    );
  expect(toolSpans).toHaveLength(calls);
  expectOnly(spans, (span) => toolSpans.includes(span) || isRoot(span) || isDelegated(span));
  const request = JsonTraceSerializer.serializeRequest([...spans]);
  const report = verify(readOtlp(JSON.parse(new TextDecoder().decode(request))).spans);
  const doubts = report.checks.filter(({ outcome }) => outcome === "fail" || outcome === "unknown");
  const told = doubts.flatMap(({ outcome, findings }) =>
    findings.map(({ reason }) => `${outcome}: ${reason}`),
  );
  expect([...new Set(told)]).toEqual(unknown.map((reason) => `unknown: ${reason}`));
  expect(report.verdict).toBe(calls === 0 ? "nothing-to-check" : "pass");
  return toolSpans;
}

/** No label of ours stands anywhere else. */
export function expectOnly(spans: readonly ReadableSpan[], may: (span: ReadableSpan) => boolean): void {
  const others = spans.filter((span) => !may(span) && isLabelled(span));
  expect(others.map((span) => [span.name, labelsOf(span)])).toEqual([]);
}

/** Step and attempt of each. */
export const counts = (spans: readonly ReadableSpan[]): unknown[] =>
  spans.map(({ attributes }) => [attributes["trustabl.step_index"], attributes["trustabl.tool.attempt"]]);
