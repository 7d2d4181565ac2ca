/**
 * One tracer provider per test file, and what a scenario needs to look at: the spans as the SDK finished them. It knows no
 * framework. `application.ts` is for frameworks whose spans are read from the export instead.
 */
import { type Context, context, type Span, trace } from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { expect } from "vitest";
import { type Run, type WithRunOptions, withRun } from "../../src/index.ts";
import { type Report, readOtlp, verify } from "../../src/verify/index.ts";

export interface Traced {
  readonly provider: NodeTracerProvider;
  /** Every finished span so far; forgets them. */
  takeSpans(): ReadableSpan[];
  /** Calls `fn` in a span of the application. */
  inSpan<Result>(
    name: string,
    attributes: Record<string, string>,
    fn: (span: Span) => Promise<Result>,
    kind?: number,
  ): Promise<Result>;
  /** A span that stands for the application's request: nothing of ours belongs on it. */
  inRequest<Result>(fn: () => Promise<Result>): Promise<Result>;
  /** One run of an agent, on a root span of the application. */
  inRun<Result>(
    fn: (run: Run) => Promise<Result>,
    options?: WithRunOptions<Promise<Result>>,
  ): Promise<Result>;
}

export const ROOT = "invoke_agent helper";

/** Registers a provider, as an application does at its start. */
export function startTracing(...processors: SpanProcessor[]): Traced {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({
    spanProcessors: [...processors, new SimpleSpanProcessor(exporter)],
  });
  provider.register();
  const tracer = provider.getTracer("application");
  const inSpan: Traced["inSpan"] = async (name, attributes, fn, kind = 0) => {
    const span = tracer.startSpan(name, { attributes, kind });
    const inside: Context = trace.setSpan(context.active(), span);
    try {
      return await context.with(inside, () => fn(span));
    } finally {
      span.end();
    }
  };
  return {
    provider,
    takeSpans: () => {
      const spans = exporter.getFinishedSpans();
      exporter.reset();
      return spans;
    },
    inSpan,
    inRequest: (fn) => inSpan("POST /chat", { "http.request.method": "POST" }, fn),
    inRun: (fn, options = {}) =>
      inSpan(ROOT, { "gen_ai.operation.name": "invoke_agent" }, (root) => withRun(root, fn, options)),
  };
}

/** What a span has of ours. */
export const labelsOf = (span: ReadableSpan | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(span?.attributes ?? {}).filter(([name]) => name.startsWith("trustabl.")));

export const isDelegated = (span: ReadableSpan): boolean => "trustabl.handoff_id" in span.attributes;

/** In the order of their steps. */
export const byStep = (spans: readonly ReadableSpan[]): ReadableSpan[] =>
  [...spans].sort(
    (a, b) => Number(a.attributes["trustabl.step_index"]) - Number(b.attributes["trustabl.step_index"]),
  );

/** No label of ours stands anywhere else. */
export function expectOnly(spans: readonly ReadableSpan[], may: (span: ReadableSpan) => boolean): void {
  const others = spans.filter((span) => !may(span) && Object.keys(labelsOf(span)).length > 0);
  expect(others.map((span) => [span.name, labelsOf(span)])).toEqual([]);
}

/** Verified as a receiver would: from the OTLP JSON. */
export function verified(spans: readonly ReadableSpan[]): Report {
  const request = JsonTraceSerializer.serializeRequest([...spans]);
  return verify(readOtlp(JSON.parse(new TextDecoder().decode(request))).spans);
}

/**
 * The verifier passes the spans, and can tell everything.
 *
 * @param except checks that cannot tell, since the instrumentation does not capture what they need
 */
export function expectPass(spans: readonly ReadableSpan[], except: readonly string[] = []): void {
  const report = verified(spans);
  const open = report.checks.filter(({ outcome }) => outcome === "fail" || outcome === "unknown");
  expect(open.filter(({ id }) => !except.includes(id)).map(({ id, findings }) => [id, findings])).toEqual([]);
  expect(report.verdict).toBe("pass");
}
