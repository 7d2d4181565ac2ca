import { OpenTelemetry } from "@ai-sdk/otel";
import { context, trace } from "@opentelemetry/api";
import { registerTelemetry } from "ai";
import { afterEach, describe, expect, it } from "vitest";
import { labelTelemetry } from "../../../src/adapters/ai-sdk.ts";
import { canonicalFp, wrapTool } from "../../../src/index.ts";
import { ToolSpanTracker } from "../../../src/tracker/index.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import { useContextManager } from "../../support/tracing.ts";
import { type AgentOptions, type Any, inputSchema, runAgent, tools } from "./agent.ts";
import { Application } from "./request.ts";
import { call } from "./scripted-model.ts";
import { sdk7ByTelemetry as sdk7 } from "./sdk-versions.ts";

useContextManager();

const twoCalls: AgentOptions = {
  script: [[call("call_1", "search")], [call("call_2", "search", { q: "none" })], "done"],
  tools: { search: tools.search },
};

const answer = (application: Application, options: AgentOptions) =>
  application.request(() => runAgent(sdk7, application, options));

/** The telemetry options of a call, with more of them. */
const telemetryWith = (application: Application, more: object) => {
  const { telemetry } = sdk7.telemetry(application.provider) as { telemetry: object };
  return { telemetry: { ...telemetry, ...more } };
};

describe("the telemetry integration, registered for the process", () => {
  const register = (...integrations: Any[]) => registerTelemetry(...integrations);
  const openTelemetry = (application: Application) =>
    new OpenTelemetry({ tracer: application.provider.getTracer("gen_ai") });

  afterEach(() => {
    (globalThis as Any).AI_SDK_TELEMETRY_INTEGRATIONS = undefined;
  });

  it("labels the calls when it comes before the OpenTelemetry one", async () => {
    const application = new Application();
    register(labelTelemetry({ search: { sideEffect: "read" } }), openTelemetry(application));
    await answer(application, { ...twoCalls, telemetry: {} });
    expect(application.labelsByCall()).toMatchObject({
      call_1: { attempt: 1, side_effect: "read" },
      call_2: { attempt: 1, step_index: 1, output_fp: canonicalFp(["none found"]) },
    });
    application.expectVerified();
  });

  it("writes nothing when it comes after, since no tool span is active there, and says so", async () => {
    const application = new Application();
    const messages = hearDiagnostics();
    register(openTelemetry(application), labelTelemetry());
    await answer(application, { ...twoCalls, telemetry: {} });
    expect(application.labelsByCall()).toEqual({ call_1: {}, call_2: {} });
    expect(ownMessages(messages)).toEqual([
      expect.stringContaining('no tool span was found for a call of the tool "search"'),
    ]);
  });

  it("reaches the span through a tracker when it comes after, until the span ends, and says what it lost", async () => {
    const application = new Application([new ToolSpanTracker()]);
    const messages = hearDiagnostics();
    register(openTelemetry(application), labelTelemetry());
    await answer(application, { ...twoCalls, telemetry: {} });
    const { call_1 } = application.labelsByCall();
    expect(call_1).toMatchObject({ attempt: 1, step_index: 0, input_fp: canonicalFp({ q: "same" }) });
    expect(call_1).not.toHaveProperty("output_fp");
    expect(ownMessages(messages)).toEqual([expect.stringContaining("ended before the call did")]);
  });
});

describe("the telemetry integration", () => {
  it("leaves out the fingerprint of arguments that recordInputs: false hides, and counts per tool", async () => {
    const application = new Application();
    await answer(application, { ...twoCalls, ...telemetryWith(application, { recordInputs: false }) });
    const labels = application.labelsByCall();
    expect(labels).toMatchObject({
      call_1: { attempt: 1, output_fp: canonicalFp(["same found"]) },
      call_2: { attempt: 2, output_fp: canonicalFp(["none found"]) },
    });
    for (const label of Object.values(labels)) expect(label).not.toHaveProperty("input_fp");
  });

  it("leaves out the fingerprint of a result that recordOutputs: false hides, and still knows failures", async () => {
    const application = new Application();
    const search = {
      inputSchema,
      execute: ({ q }: { q: string }) => {
        if (q === "none") throw Object.assign(new Error("no"), { status: 404 });
        return "found";
      },
    };
    await answer(application, {
      ...twoCalls,
      tools: { search },
      ...telemetryWith(application, { recordOutputs: false }),
    });
    const { call_1, call_2 } = application.labelsByCall();
    expect(call_1).toMatchObject({ attempt: 1, input_fp: canonicalFp({ q: "same" }) });
    expect(call_1).not.toHaveProperty("output_fp");
    expect(call_2).toMatchObject({ error_class: "4xx", output_fp: canonicalFp(null) });
  });

  it("labels a call once when a wrapped function hides inside the tool, by the wrapper's definition", async () => {
    const application = new Application();
    const wrapped = wrapTool(
      { name: "search", sideEffect: "write", isEmpty: (found) => found.length === 0 },
      async ({ q }: { q: string }, _options: object): Promise<string[]> => (q === "none" ? [] : [q]),
    );
    const search = {
      inputSchema,
      execute: async (input: { q: string }, options: object) => ({ rows: await wrapped(input, options) }),
    };
    const [first, second] = [[call("call_1", "search")], [call("call_2", "search")]];
    await answer(application, {
      script: [first, second, [call("call_3", "search", { q: "none" })], "done"],
      tools: { search },
      definitions: { search: { sideEffect: "read" } },
    });
    const labels = application.labelsByCall();
    expect(labels).toMatchObject({
      call_1: { step_index: 0, attempt: 1, side_effect: "write", output_fp: canonicalFp(["same"]) },
      call_2: { step_index: 1, attempt: 2, side_effect: "write" },
      call_3: { step_index: 2, attempt: 1, error_class: "empty" },
    });
    expect(labels.call_1).not.toHaveProperty("error_class");
  });

  it("leaves the class of a failure to the wrapper, too", async () => {
    const application = new Application();
    const wrapped = wrapTool(
      { name: "search", errorClass: () => "auth" },
      (_input: object, _options: object) => {
        throw Object.assign(new Error("no"), { status: 503 });
      },
    );
    const search = { inputSchema, execute: (input: object, options: object) => wrapped(input, options) };
    await answer(application, { script: [[call("call_1", "search")], "done"], tools: { search } });
    expect(application.labelsByCall()).toMatchObject({ call_1: { error_class: "auth" } });
  });

  it("labels no end where the model gave two calls of one answer the same id", async () => {
    const application = new Application();
    await answer(application, {
      script: [[call("call_1", "search"), call("call_1", "search", { q: "other" })], "done"],
      tools: { search: tools.search },
    });
    // The SDK exports one span for both.
    const { call_1 } = application.labelsByCall();
    expect(call_1).not.toHaveProperty("output_fp");
  });

  it("runs a tool whose event shows nothing, and says that it was not labelled", async () => {
    const messages = hearDiagnostics();
    const telemetry = labelTelemetry();
    const events: object[] = [
      {},
      { toolCall: null },
      { toolCall: { toolName: 1 } },
      { toolCall: { toolName: "a" } },
    ];
    for (const event of events) {
      expect(await telemetry.executeTool({ ...event, execute: async () => "ran" })).toBe("ran");
      telemetry.onToolExecutionEnd(event);
    }
    expect(ownMessages(messages)).toHaveLength(1);
  });

  it("forgets the oldest of more than 10,000 calls that do not end", async () => {
    const application = new Application();
    const telemetry = labelTelemetry();
    const begin = (id: number) => {
      const event = { callId: "run", toolCall: { toolName: "search", toolCallId: String(id), input: {} } };
      const attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "search",
        "gen_ai.tool.call.id": String(id),
      };
      const span = application.provider.getTracer("gen_ai").startSpan("execute_tool search", { attributes });
      context.with(trace.setSpan(context.active(), span), () => {
        void telemetry.executeTool({ ...event, execute: () => new Promise(() => undefined) });
      });
      return () => {
        telemetry.onToolExecutionEnd({ ...event, toolOutput: { type: "tool-result", output: 1 } });
        span.end();
      };
    };
    const [first, second] = Array.from({ length: 10_001 }, (_, id) => begin(id));
    first?.();
    second?.();
    const labels = application.labelsByCall();
    expect(labels["0"]).not.toHaveProperty("output_fp");
    expect(labels["1"]).toHaveProperty("output_fp", canonicalFp(1));
  });

  it.each([
    ["a side effect that does not exist", { search: { sideEffect: "reads" } }],
    ["a callback that is no function", { search: { isEmpty: true } }],
  ])("refuses %s when it is made", (_what, definitions) => {
    expect(() => labelTelemetry(definitions as never)).toThrow(/of a tool definition expected/);
  });
});
