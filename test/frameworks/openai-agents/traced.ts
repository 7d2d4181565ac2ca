/** The application around the agent: a provider with the bridge and the tracker, and what was exported. */
import type * as agentsModule from "@openai/agents";
import { context, type Span, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { expect } from "vitest";
import { AgentsSpanTracker } from "../../../src/adapters/openai-agents.ts";
import { recogniseSpan } from "../../../src/attributes/conventions.ts";
import { type WithRunOptions, withRun } from "../../../src/index.ts";
import { readOtlp, type SpanView, verify } from "../../../src/verify/index.ts";
import type { Bridge } from "./bridge.ts";

export type Agents = typeof agentsModule;

const exporter = new InMemorySpanExporter();
export const tracker: AgentsSpanTracker = new AgentsSpanTracker();
const provider = new BasicTracerProvider({ spanProcessors: [tracker, new SimpleSpanProcessor(exporter)] });

/** Sets up OpenTelemetry and the bridge for one copy of the SDK. `before`: other trace processors, which make the bridge late. */
export function traceAgents(agents: Agents, bridge: Bridge, before = 0): void {
  context.disable();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.disable();
  trace.setGlobalTracerProvider(provider);
  const idle = {
    onTraceStart: async () => {},
    onTraceEnd: async () => {},
    onSpanStart: async () => {},
    onSpanEnd: async () => {},
    shutdown: async () => {},
    forceFlush: async () => {},
  };
  const idles = Array.from({ length: before }, () => idle);
  agents.setTraceProcessors([...idles, ...bridge.processors(provider)] as never);
  exporter.reset();
}

/** Runs inside a request of the application. */
export async function inRequest<Result>(fn: (request: Span) => Promise<Result>): Promise<Result> {
  return trace.getTracer("http").startActiveSpan("POST /chat", async (request) => {
    try {
      return await fn(request);
    } finally {
      request.end();
    }
  });
}

/** Runs an agent as the documentation says: on a root span of the application's own. */
export async function asRun<Result>(
  fn: () => Promise<Result>,
  options?: WithRunOptions<Promise<Result>>,
): Promise<Result> {
  const attributes = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "app" };
  return trace.getTracer("app").startActiveSpan("invoke_agent app", { attributes }, async (root) => {
    try {
      return await withRun(root, fn, options);
    } finally {
      root.end();
    }
  });
}

export interface Exported {
  readonly spans: readonly SpanView[];
  /** The spans of the calls of a tool, in the order in which they ended. */
  tools(name?: string): readonly SpanView[];
  named(name: string): SpanView;
}

/** What was exported, as OTLP JSON; it passes the verifier, and nothing is labelled but tools, roots and delegated agents. */
export async function exported({ passes = true } = {}): Promise<Exported> {
  // The bridge ends its root one microtask after the run.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const bytes = JsonTraceSerializer.serializeRequest(exporter.getFinishedSpans());
  const { spans } = readOtlp(new TextDecoder().decode(bytes));
  if (passes) {
    const report = verify(spans);
    const failed = report.checks.filter(({ outcome }) => outcome === "fail");
    expect(failed.map(({ id, findings }) => [id, findings])).toEqual([]);
    expect(report.verdict).toBe("pass");
  }
  const isTool = (span: SpanView) => recogniseSpan(span)?.role === "tool";
  for (const span of spans) {
    if (isTool(span) || span.name === "invoke_agent app") continue;
    const allowed = recogniseSpan(span)?.role === "agent" ? ["trustabl.handoff_id"] : [];
    expect(Object.keys(labelsOf(span)).filter((label) => !allowed.includes(label))).toEqual([]);
  }
  return {
    spans,
    tools: (name) =>
      spans.filter((span) => isTool(span) && (name === undefined || recogniseSpan(span)?.toolName === name)),
    named: (name) => {
      // openlit names a handoff as the agent that it leads to.
      const found = spans.filter((span) => span.name === name && recogniseSpan(span)?.role !== "handoff");
      expect(found.length, `spans named ${name}`).toBe(1);
      return found[0] as SpanView;
    },
  };
}

/** The labels of a span. */
export function labelsOf(span: SpanView): Record<string, unknown> {
  return Object.fromEntries(Object.entries(span.attributes).filter(([key]) => key.startsWith("trustabl.")));
}
