import { context, diag, type Span, trace } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HookInput, QueryOptions } from "../../../src/adapters/claude-agent-sdk/sdk-types.ts";
import { QueryLabels, type QueryLabelsOptions } from "../../../src/adapters/claude-agent-sdk.ts";
import { canonicalFp, RequiredPolicyError, withRun } from "../../../src/index.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import { drain, type FakeQuery, fakeQuery, interaction } from "./fake-sdk.ts";

const SCOPE = "@arizeai/openinference-instrumentation-claude-agent-sdk";
const exporter = new InMemorySpanExporter();
// The options of a labeller are given when it is made, and its processor to the provider: so one that passes on.
let current = new QueryLabels();
const provider = new NodeTracerProvider({
  spanProcessors: [
    {
      onStart: (span, parent) => current.spanProcessor.onStart(span, parent),
      onEnd: (span) => current.spanProcessor.onEnd(span),
      forceFlush: async () => {},
      shutdown: async () => {},
    },
    new SimpleSpanProcessor(exporter),
  ],
});
provider.register();
afterAll(() => provider.shutdown());

type Parameters = { options?: QueryOptions };
type Query = (parameters: Parameters) => AsyncIterable<object>;

/** What OpenInference does: an agent's span, and hooks that start and end the tools' spans, without attributes at first. */
function instrument(query: Query, { withAgentSpan = true, spanName = (name: string) => name } = {}): Query {
  return async function* instrumented({ options }) {
    const tracer = trace.getTracer(SCOPE);
    const agent = withAgentSpan ? tracer.startSpan("ClaudeAgent.query") : undefined;
    const live = new Map<unknown, Span>();
    const parent = agent === undefined ? context.active() : trace.setSpan(context.active(), agent);
    const start = async ({ tool_name, tool_use_id, tool_input }: HookInput) => {
      const span = tracer.startSpan(spanName(String(tool_name)), {}, parent);
      span.setAttributes({ "openinference.span.kind": "TOOL", "input.value": JSON.stringify(tool_input) });
      live.set(tool_use_id, span);
      return {};
    };
    const end = async ({ tool_use_id }: HookInput) => {
      live.get(tool_use_id)?.end();
      return {};
    };
    const hooks = { ...options?.hooks };
    for (const [event, hook] of [
      ["PreToolUse", start],
      ["PostToolUse", end],
      ["PostToolUseFailure", end],
    ] as const) {
      hooks[event] = [...(hooks[event] ?? []), { hooks: [hook] }];
    }
    yield* query({ options: { ...options, hooks } });
    for (const span of live.values()) span.end();
    agent?.end();
  };
}

function run(
  fake: FakeQuery,
  options: QueryLabelsOptions = {},
  instrumentation: object = {},
): Promise<unknown[]> {
  current = new QueryLabels(options);
  void current.spanProcessor;
  const query = current.wrap(({ options: given }: Parameters) => fakeQuery(fake, given));
  return drain(instrument(query, instrumentation)({}));
}

const labelsOf = (span: { attributes: object } | undefined) =>
  Object.fromEntries(Object.entries(span?.attributes ?? {}).filter(([name]) => name.startsWith("trustabl.")));
const finished = () => exporter.getFinishedSpans();
const agentSpan = () => finished().find(({ name }) => name === "ClaudeAgent.query");

beforeEach(() => exporter.reset());
afterEach(() => diag.disable());

describe("A live span of OpenInference", () => {
  it("carries the labels of its own call, among many at the same time", async () => {
    const calls = Array.from({ length: 1_000 }, (_, index) => ({
      id: `t${index}`,
      input: { q: index % 10 },
      result: index,
      done: new Promise<void>((done) => setTimeout(done, (index * 7) % 11)),
    }));
    await run({ sessionId: "s", calls }, { tools: { search: { sideEffect: "read" } } });
    const tools = finished().filter(({ name }) => name === "search");
    expect(tools).toHaveLength(1_000);
    for (const span of tools) {
      const step = Number(span.attributes["trustabl.step_index"]);
      expect(labelsOf(span)).toMatchObject({
        "trustabl.tool.input_fp": canonicalFp(JSON.parse(String(span.attributes["input.value"]))),
        "trustabl.tool.output_fp": canonicalFp(step),
        "trustabl.tool.attempt": Math.floor(step / 10) + 1,
        "trustabl.tool.side_effect": "read",
      });
    }
  });

  it("carries the run on the agent's span, without a run of the application's", async () => {
    await run({ sessionId: "s", calls: [{ id: "t", input: 1 }], result: { subtype: "error_max_turns" } });
    expect(labelsOf(agentSpan())).toEqual({
      "trustabl.run_id": finished().find(({ name }) => name === "search")?.attributes["trustabl.run_id"],
      "trustabl.exit_reason": "max_steps",
    });
  });

  it("is the agent's span of no query but the one that was called right then", async () => {
    current = new QueryLabels();
    void current.spanProcessor;
    const other = trace.getTracer(SCOPE).startSpan("ClaudeAgent.query");
    await undefined;
    await drain(
      current.wrap(({ options }: Parameters) => fakeQuery({ sessionId: "s", calls: [] }, options))({}),
    );
    other.end();
    expect(labelsOf(agentSpan())).toEqual({});
  });

  it("says on the agent's span how the last of many turns ended, and keeps none of them", async () => {
    const messages = hearDiagnostics();
    current = new QueryLabels();
    void current.spanProcessor;
    async function* turns() {
      for (let turn = 0; turn < 1_200; turn += 1)
        yield { type: "result", session_id: "s", subtype: "success" };
      yield { type: "result", session_id: "s", subtype: "error_max_turns" };
    }
    await drain(instrument(current.wrap(turns) as Query)({}));
    expect(labelsOf(agentSpan())["trustabl.exit_reason"]).toBe("max_steps");
    expect(ownMessages(messages)).toEqual([]);
  });

  it("belongs to the run of the application where there is one, and the agent's span stays as it is", async () => {
    const root = trace.getTracer("app").startSpan("root");
    await withRun(root, (outer) => {
      expect(outer.nextStep()).toBe(0);
      return run({ sessionId: "s", calls: [{ id: "t", input: 1 }] });
    });
    root.end();
    expect(labelsOf(agentSpan())).toEqual({});
    const runId = finished().find(({ name }) => name === "root")?.attributes["trustabl.run_id"];
    expect(labelsOf(finished().find(({ name }) => name === "search"))).toMatchObject({
      "trustabl.run_id": runId,
      "trustabl.step_index": 1,
    });
  });

  it("is labelled as refused where no hook tells of the end", async () => {
    await run({ sessionId: "s", calls: [{ id: "t", input: 1, end: "refused" }] });
    expect(labelsOf(finished().find(({ name }) => name === "search"))).toMatchObject({
      "trustabl.tool.output_fp": canonicalFp(null),
    });
  });

  it("is not taken for another: by another scope or another name", async () => {
    const messages = hearDiagnostics();
    current = new QueryLabels();
    void current.spanProcessor;
    const user = async () => {
      trace.getTracer("application").startSpan("search").end();
      return {};
    };
    const query = current.wrap(({ options }: Parameters) =>
      fakeQuery({ sessionId: "s", calls: [{ id: "t", input: 1 }] }, options),
    );
    const options = { hooks: { PreToolUse: [{ hooks: [user] }] } };
    await drain(instrument(query, { spanName: (name: string) => `tool ${name}` })({ options }));
    expect(finished().map(({ name }) => name)).toContain("search");
    for (const span of finished()) if (span !== agentSpan()) expect(labelsOf(span)).toEqual({});
    expect(ownMessages(messages)).toEqual([
      expect.stringContaining('no tool span was found for a call of the tool "search"'),
    ]);
  });

  it("is not missed where OpenInference makes none: tracing is off", async () => {
    const messages = hearDiagnostics();
    current = new QueryLabels();
    void current.spanProcessor;
    const query = current.wrap(({ options }: Parameters) =>
      fakeQuery({ sessionId: "s", calls: [{ id: "t", input: 1 }] }, options),
    );
    await drain(query({}));
    expect(ownMessages(messages)).toEqual([]);
  });
});

describe("A query that is what a tool of another agent does", () => {
  it("has a handoff id on each of its agent spans in the command line, different ones", async () => {
    const tool = trace
      .getTracer("app")
      .startSpan("search", { attributes: { "openinference.span.kind": "TOOL" } });
    current = new QueryLabels();
    const relay = { url: "http://127.0.0.1:4318", settled: () => {} };
    const query = current.wrap(
      ({ options }: Parameters) => fakeQuery({ sessionId: "s", calls: [] }, options),
      relay,
    );
    const inTool = trace.setSpan(context.active(), tool);
    await withRun(tool, () => context.with(trace.setSpan(context.active(), tool), () => drain(query({}))));
    for (const spanId of ["a".repeat(16), "b".repeat(16)]) {
      const labels = current.labelsOf({ ...interaction("s"), spanId }, false);
      expect(labels).toEqual({ attributes: { "trustabl.handoff_id": spanId }, events: [] });
    }
    await context.with(inTool, () => drain(query({})));
    expect(current.labelsOf({ ...interaction("s"), spanId: "c".repeat(16) }, false)).toMatchObject({
      attributes: { "trustabl.exit_reason": "final_answer", "trustabl.handoff_id": "c".repeat(16) },
    });
    tool.end();
  });

  it("has none where it was started by a span of the application", async () => {
    await trace.getTracer("app").startActiveSpan("request", async (span) => {
      await run({ sessionId: "s", calls: [] });
      span.end();
    });
    expect(labelsOf(agentSpan())).not.toHaveProperty(["trustabl.handoff_id"]);
  });
});

describe("Policies of a query", () => {
  const policy = {
    id: "tools",
    type: "tool_grants",
    sha256: "ab".repeat(32),
    version: "1",
    required: true,
    source: "entrypoint",
  } as const;
  const failed = { verified: [], failed: [{ id: "tools", required: true, code: "bad_signature" }] };

  it("are bound once for each query, on the agent's span, also when they can be read only once", async () => {
    current = new QueryLabels({ policies: new Set([policy]).values() });
    void current.spanProcessor;
    const query = current.wrap(({ options }: Parameters) =>
      fakeQuery({ sessionId: "s", calls: [] }, options),
    );
    for (let time = 0; time < 2; time += 1) await drain(instrument(query)({}));
    const agents = finished().filter(({ name }) => name === "ClaudeAgent.query");
    expect(agents.map(({ events }) => events.map(({ name }) => name))).toEqual([
      ["trustabl.policy.binding"],
      ["trustabl.policy.binding"],
    ]);
  });

  it("refuse a query that needs one that failed, with telemetry off too", () => {
    let started = false;
    const query = () => {
      started = true;
    };
    expect(() => new QueryLabels({ policies: failed }).wrap(query)()).toThrow(RequiredPolicyError);
    expect(started).toBe(false);
  });

  it("refuse it within a run of the application's as well, which then ends by policy", () => {
    const root = trace.getTracer("app").startSpan("root");
    const query = new QueryLabels({ policies: failed }).wrap(() => undefined);
    expect(() => withRun(root, () => query())).toThrow(RequiredPolicyError);
    root.end();
    expect(labelsOf(finished()[0])["trustabl.exit_reason"]).toBe("policy_stop");
    expect(finished()[0]?.events).toEqual([]);
  });
});
