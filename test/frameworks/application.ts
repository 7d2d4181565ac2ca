/**
 * One request of an application: its HTTP span, the agent's run in it, and what was exported. For suites whose framework
 * makes OpenTelemetry spans of its own; it knows no framework.
 */
import { context, type Span, type Tracer, trace } from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { type WithRunOptions, withRun } from "../../src/index.ts";
import { type Report, readOtlp, type SpanView, verify } from "../../src/verify/index.ts";

const ROOT = "invoke_agent helper";

export class Application {
  readonly #exporter = new InMemorySpanExporter();
  readonly #live = new LiveSpans();
  readonly provider: NodeTracerProvider;
  readonly #tracer: Tracer;

  constructor(processors: readonly SpanProcessor[] = []) {
    const exporting = new SimpleSpanProcessor(this.#exporter);
    this.provider = new NodeTracerProvider({ spanProcessors: [...processors, this.#live, exporting] });
    this.#tracer = this.provider.getTracer("application");
  }

  /** Answers a request with a run of the agent. */
  async request<Result>(
    agent: (root: Span) => Promise<Result>,
    options: WithRunOptions<Promise<Result>> = {},
  ): Promise<Result> {
    const http = this.#tracer.startSpan("POST /chat", { attributes: { "http.request.method": "POST" } });
    const attributes = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper" };
    try {
      return await context.with(trace.setSpan(context.active(), http), () =>
        this.#tracer.startActiveSpan(ROOT, { attributes }, async (root) => {
          try {
            return await withRun(root, () => agent(root), options);
          } finally {
            root.end();
          }
        }),
      );
    } finally {
      http.end();
    }
  }

  /** The spans as an OTLP JSON export has them, when all have ended. */
  async spans(): Promise<readonly SpanView[]> {
    await this.#live.settle();
    const json = JsonTraceSerializer.serializeRequest(this.#exporter.getFinishedSpans()) as Uint8Array;
    const { spans, problems } = readOtlp(json);
    if (problems.length > 0) throw new Error(`the export cannot be read: ${JSON.stringify(problems)}`);
    return spans;
  }

  /** The labels of each tool span, by call id. Throws when a call id is there twice, or a label is elsewhere. */
  async labelsByCall(): Promise<Record<string, Record<string, unknown>>> {
    const spans = await this.spans();
    throwOnOtherLabels(spans);
    const byCall: Record<string, Record<string, unknown>> = {};
    for (const span of spans.filter(isToolSpan)) {
      const id = String(span.attributes["gen_ai.tool.call.id"]);
      if (id in byCall) throw new Error(`two spans of the call ${id}`);
      byCall[id] = labelsOf(span);
    }
    return byCall;
  }

  /** What our own verifier says, strictly. */
  async verified(): Promise<Report> {
    return verify(await this.spans(), { strict: true });
  }

  /** Everything that the verifier does not pass, for an `expect` that shows it. Throws when a label is elsewhere. */
  async findings(): Promise<unknown[]> {
    throwOnOtherLabels(await this.spans());
    const { checks } = await this.verified();
    return checks.filter(({ outcome }) => outcome !== "pass" && outcome !== "not-applicable");
  }
}

/** Counts spans: some frameworks end theirs a little after the run. */
class LiveSpans implements SpanProcessor {
  #live = 0;
  onStart(): void {
    this.#live += 1;
  }
  onEnd(): void {
    this.#live -= 1;
  }
  async forceFlush(): Promise<void> {}
  async shutdown(): Promise<void> {}
  async settle(): Promise<void> {
    for (let turn = 0; turn < 1000 && this.#live > 0; turn += 1)
      await new Promise((next) => setImmediate(next));
  }
}

export const isToolSpan = ({ attributes }: SpanView): boolean =>
  attributes["gen_ai.operation.name"] === "execute_tool";

const isAgentSpan = ({ attributes }: SpanView): boolean =>
  attributes["gen_ai.operation.name"] === "invoke_agent";

export const rootsOf = (spans: readonly SpanView[]): SpanView[] => spans.filter(({ name }) => name === ROOT);

/** The spans of delegated agents: those with a handoff id. */
export const delegatedOf = (spans: readonly SpanView[]): SpanView[] =>
  spans.filter(({ attributes }) => attributes["trustabl.handoff_id"] !== undefined);

/** The tool spans, in the order of their step in the run. */
export const byStep = (spans: readonly SpanView[]): SpanView[] =>
  spans
    .filter(isToolSpan)
    .sort(
      (one, other) =>
        Number(one.attributes["trustabl.step_index"]) - Number(other.attributes["trustabl.step_index"]),
    );

/** The labels of a span, without their common prefix. */
export function labelsOf(span: SpanView | undefined): Record<string, unknown> {
  const labels: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(span?.attributes ?? {})) {
    if (name.startsWith("trustabl.")) labels[name.replace(/^trustabl\.(tool\.)?/, "")] = value;
  }
  return labels;
}

/** No span but those of tools, the roots of the runs and delegated agents has any label. */
function throwOnOtherLabels(spans: readonly SpanView[]): void {
  for (const span of spans.filter((span) => !isToolSpan(span))) {
    const names = Object.keys(labelsOf(span)).sort().join();
    const expected = span.name === ROOT ? "exit_reason,run_id" : "";
    const delegated = isAgentSpan(span) && names === "handoff_id";
    if (names !== expected && !delegated) throw new Error(`${span.name} has the labels ${names}`);
  }
}
