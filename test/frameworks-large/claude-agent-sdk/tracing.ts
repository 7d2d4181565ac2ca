/** The application's own tracing, and looking at spans as a receiver would: from the OTLP JSON. */
import { context, type Span, trace } from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { expect } from "vitest";
import { recogniseSpan } from "../../../src/attributes/conventions.ts";
import { readOtlp, type SpanView, verify } from "../../../src/verify/index.ts";

const exporter = new InMemorySpanExporter();

/** Registers a provider for this test file. */
export function startTracing(...processors: SpanProcessor[]): NodeTracerProvider {
  const provider = new NodeTracerProvider({
    spanProcessors: [...processors, new SimpleSpanProcessor(exporter)],
  });
  provider.register();
  return provider;
}

/** Every span that ended in this process; forgets them. */
export function takeSpans(): readonly SpanView[] {
  const request = JsonTraceSerializer.serializeRequest(exporter.getFinishedSpans());
  exporter.reset();
  return readOtlp(JSON.parse(new TextDecoder().decode(request))).spans;
}

/** Calls `fn` in a span of the application. */
export function inSpan<Result>(
  name: string,
  attributes: Record<string, string>,
  fn: (span: Span) => Promise<Result>,
): Promise<Result> {
  const span = trace.getTracer("application").startSpan(name, { attributes });
  return context.with(trace.setSpan(context.active(), span), async () => {
    try {
      return await fn(span);
    } finally {
      span.end();
    }
  });
}

export const labelsOf = (span: SpanView | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(span?.attributes ?? {}).filter(([name]) => name.startsWith("trustabl.")));

const roleOf = (span: SpanView) => recogniseSpan(span)?.role;
export const agentSpans = (spans: readonly SpanView[]) => spans.filter((span) => roleOf(span) === "agent");

/** The tool spans in step order. */
export const toolSpans = (spans: readonly SpanView[]) =>
  spans
    .filter((span) => roleOf(span) === "tool")
    .sort(
      (a, b) => Number(a.attributes["trustabl.step_index"]) - Number(b.attributes["trustabl.step_index"]),
    );

/** Labels stand on tool spans and on `roots` alone, and the verifier has nothing to say. Gives the tool spans. */
export function check(
  spans: readonly SpanView[],
  calls: number,
  roots: readonly SpanView[],
): readonly SpanView[] {
  const tools = toolSpans(spans);
  expect(tools).toHaveLength(calls);
  for (const span of tools) expect(labelsOf(span)).toHaveProperty(["trustabl.tool.output_fp"]);
  const others = spans.filter((span) => !tools.includes(span) && !roots.includes(span));
  expect(others.filter((span) => Object.keys(labelsOf(span)).length > 0).map(({ name }) => name)).toEqual([]);
  expectPass(spans, calls);
  return tools;
}

export function expectPass(spans: readonly SpanView[], calls: number): void {
  const report = verify(spans);
  const bad = report.checks.filter(({ outcome }) => outcome === "fail" || outcome === "unknown");
  // Native spans hold neither arguments nor results to compare with.
  expect(bad.filter(({ id }) => id !== "fingerprint-true").map(({ id, findings }) => [id, findings])).toEqual(
    [],
  );
  expect(report.examined.toolSpans).toBe(calls);
  expect(report.verdict).toBe("pass");
}
