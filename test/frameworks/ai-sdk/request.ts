/** One request of an application: its HTTP span, the agent's run in it, and what was exported. */
import { context, type Span, type Tracer, trace } from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { expect } from "vitest";
import { exitReasonOf } from "../../../src/adapters/ai-sdk.ts";
import { withRun } from "../../../src/index.ts";
import { type Report, readOtlp, type SpanView, type Verdict, verify } from "../../../src/verify/index.ts";

// biome-ignore lint/suspicious/noExplicitAny: results of three versions of the SDK
type Result = any;

export class Application {
  readonly #exporter = new InMemorySpanExporter();
  readonly provider: NodeTracerProvider;
  readonly #tracer: Tracer;

  constructor(processors: SpanProcessor[] = []) {
    this.provider = new NodeTracerProvider({
      spanProcessors: [...processors, new SimpleSpanProcessor(this.#exporter)],
    });
    this.#tracer = this.provider.getTracer("application");
  }

  /** Answers a request with a run of the agent. */
  async request(agent: (root: Span) => Promise<Result>): Promise<Result> {
    const http = this.#tracer.startSpan("POST /chat", { attributes: { "http.request.method": "POST" } });
    const attributes = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper" };
    return await context.with(trace.setSpan(context.active(), http), () =>
      this.#tracer.startActiveSpan("invoke_agent helper", { attributes }, async (root) => {
        try {
          return await withRun(root, () => agent(root), { exitReason: (result) => exitReasonOf(result) });
        } finally {
          root.end();
          http.end();
        }
      }),
    );
  }

  /** The spans as an OTLP JSON export has them. */
  spans(): readonly SpanView[] {
    const { spans, problems } = readOtlp(
      JsonTraceSerializer.serializeRequest(this.#exporter.getFinishedSpans()) as Uint8Array,
    );
    expect(problems).toEqual([]);
    return spans;
  }

  /** Our own verifier, strictly: warnings and what it cannot tell count too. */
  expectVerified(verdict: Verdict = "pass"): Report {
    this.expectNoOtherLabels();
    const report = verify(this.spans(), { strict: true });
    const findings = report.checks.filter(
      ({ outcome }) => outcome !== "pass" && outcome !== "not-applicable",
    );
    expect(findings).toEqual([]);
    expect(report.verdict).toBe(verdict);
    return report;
  }

  /** No span but those of tools, the roots of the runs and delegated agents has any label. */
  expectNoOtherLabels(): void {
    for (const span of this.spans().filter((span) => !isToolSpan(span))) {
      const names = Object.keys(labelsOf(span)).sort();
      if (span.name === "invoke_agent helper") expect(names).toEqual(["exit_reason", "run_id"]);
      else expect(names.filter((name) => name !== "handoff_id")).toEqual([]);
    }
  }

  /** The labels of each tool span, by call id. */
  labelsByCall(): Record<string, Record<string, unknown>> {
    this.expectNoOtherLabels();
    const byCall: Record<string, Record<string, unknown>> = {};
    for (const span of this.spans().filter(isToolSpan)) {
      const id = String(span.attributes["ai.toolCall.id"] ?? span.attributes["gen_ai.tool.call.id"]);
      expect(byCall).not.toHaveProperty(id);
      byCall[id] = labelsOf(span);
    }
    return byCall;
  }
}

export const isToolSpan = ({ name }: SpanView): boolean =>
  name === "ai.toolCall" || name.startsWith("execute_tool ");

/** The labels of a span, without their common prefix. */
export function labelsOf(span: SpanView): Record<string, unknown> {
  const labels: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(span.attributes)) {
    if (name.startsWith("trustabl.")) labels[name.replace(/^trustabl\.(tool\.)?/, "")] = value;
  }
  return labels;
}
