/** One tracer provider per test file, and what a scenario needs to look at. */
import { context, DiagLogLevel, diag, type Span, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { expect } from "vitest";
import { type Run, withRun } from "../../../src/index.ts";
import { type Report, readOtlp, verify } from "../../../src/verify/index.ts";

const exporter = new InMemorySpanExporter();
export const provider: NodeTracerProvider = new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
});
provider.register({ contextManager: new AsyncLocalStorageContextManager().enable() });
export const tracer = provider.getTracer("application");

/** Every finished span so far; forgets them. */
export function takeSpans(): ReadableSpan[] {
  const spans = exporter.getFinishedSpans();
  exporter.reset();
  return spans;
}

/** A span that stands for the application's request: nothing of ours belongs on it. */
export const inRequest = <Result>(fn: () => Promise<Result>): Promise<Result> =>
  inSpan("POST /chat", { "http.request.method": "POST" }, fn);

/** One run of an agent, on a root span of the application. */
export const inRun = <Result>(fn: (run: Run) => Promise<Result>): Promise<Result> =>
  inSpan("invoke_agent helper", { "gen_ai.operation.name": "invoke_agent" }, (root) => withRun(root, fn));

export function inSpan<Result>(
  name: string,
  attributes: Record<string, string>,
  fn: (span: Span) => Promise<Result>,
  kind = 0,
): Promise<Result> {
  const span = tracer.startSpan(name, { attributes, kind });
  return context.with(trace.setSpan(context.active(), span), () => fn(span)).finally(() => span.end());
}

export const labelsOf = (span: ReadableSpan | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(span?.attributes ?? {}).filter(([name]) => name.startsWith("trustabl.")));

/** No label of ours stands anywhere but on `labelled` and on roots. */
export function expectNoOtherLabels(spans: readonly ReadableSpan[], labelled: readonly ReadableSpan[]): void {
  const others = spans.filter(
    (span) =>
      !labelled.includes(span) &&
      span.name !== "invoke_agent helper" &&
      Object.keys(labelsOf(span)).length > 0,
  );
  expect(others.map((span) => [span.name, labelsOf(span)])).toEqual([]);
}

/** Verified as a receiver would: from the OTLP JSON. */
export function verified(spans: readonly ReadableSpan[]): Report {
  const request = JsonTraceSerializer.serializeRequest([...spans]);
  return verify(readOtlp(JSON.parse(new TextDecoder().decode(request))).spans);
}

/** Passes, and leaves nothing open but what the instrumentation does not capture exactly. */
export function expectPass(spans: readonly ReadableSpan[]): void {
  const report = verified(spans);
  const open = report.checks.filter(({ outcome }) => outcome === "fail" || outcome === "unknown");
  expect(
    open.filter(({ id }) => id !== "fingerprint-true").map(({ id, findings }) => [id, findings]),
  ).toEqual([]);
  expect(report.verdict).toBe("pass");
}

/** What `diag` is told while `fn` runs. */
export async function heard(fn: () => Promise<unknown>): Promise<string[]> {
  const messages: string[] = [];
  const log = (message: string) => void messages.push(message);
  diag.setLogger(
    { error: log, warn: log, info: () => {}, debug: () => {}, verbose: () => {} },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  try {
    await fn();
  } finally {
    diag.disable();
  }
  return messages;
}
