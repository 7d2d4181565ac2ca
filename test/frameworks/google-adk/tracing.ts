/** One tracer provider per test file, and what a scenario needs to look at. */
import { context, type Span, trace } from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { expect } from "vitest";
import { AdkAgentTracker } from "../../../src/adapters/google-adk.ts";
import { type Run, type WithRunOptions, withRun } from "../../../src/index.ts";
import { type Report, readOtlp, verify } from "../../../src/verify/index.ts";

const exporter = new InMemorySpanExporter();
export const agentTracker: AdkAgentTracker = new AdkAgentTracker();
export const provider: NodeTracerProvider = new NodeTracerProvider({
  spanProcessors: [agentTracker, new SimpleSpanProcessor(exporter)],
});
provider.register();
const tracer = provider.getTracer("application");

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

/** Verified as a receiver would: from the OTLP JSON. */
export function verified(spans: readonly ReadableSpan[]): Report {
  const request = JsonTraceSerializer.serializeRequest([...spans]);
  return verify(readOtlp(JSON.parse(new TextDecoder().decode(request))).spans);
}

const isRoot = ({ name, instrumentationScope }: ReadableSpan) =>
  name.startsWith("invoke_agent ") && instrumentationScope.name !== "gcp.vertex.agent";
export const isDelegated = (span: ReadableSpan): boolean => "trustabl.handoff_id" in span.attributes;

/**
 * Every scenario: as many labelled calls as given, nothing of ours elsewhere but on roots and delegated agents, and a verifier
 * that finds nothing wrong and nothing that it cannot tell.
 *
 * @returns the calls' spans, in the order of their steps
 */
export function checked(spans: readonly ReadableSpan[], calls: number): ReadableSpan[] {
  const toolSpans = spans
    .filter((span) => "trustabl.tool.input_fp" in span.attributes)
    .sort(
      (a, b) => Number(a.attributes["trustabl.step_index"]) - Number(b.attributes["trustabl.step_index"]),
    );
  expect(toolSpans).toHaveLength(calls);
  for (const span of toolSpans) expect(span.name).toMatch(/^execute_tool (?!\(merged)/);
  const others = spans.filter(
    (span) =>
      !toolSpans.includes(span) &&
      !isRoot(span) &&
      !isDelegated(span) &&
      Object.keys(labelsOf(span)).length > 0,
  );
  expect(others.map((span) => [span.name, labelsOf(span)])).toEqual([]);
  for (const span of spans.filter(isDelegated)) {
    expect(span.name).toMatch(/^invoke_agent /);
    expect(Object.keys(labelsOf(span))).toEqual(["trustabl.handoff_id"]);
  }
  expectPass(spans);
  return toolSpans;
}

export function expectPass(spans: readonly ReadableSpan[]): void {
  const report = verified(spans);
  const faults = report.checks.filter(({ outcome }) => outcome === "fail" || outcome === "unknown");
  expect(faults.map(({ id, findings }) => [id, findings])).toEqual([]);
  expect(report.verdict).toBe("pass");
}

export const root = (spans: readonly ReadableSpan[]): ReadableSpan | undefined => spans.find(isRoot);
