import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { type Application, application, LABELS, OTHER_VERSION } from "./support/copies.ts";

/** The set-up of an application, with what `diag` heard. */
const SET_UP = `
import { context, diag, DiagLogLevel, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
export const heard = [];
const hear = (message) => heard.push(String(message));
diag.setLogger({ error: hear, warn: hear, info() {}, debug() {}, verbose() {} }, DiagLogLevel.WARN);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const exporter = new InMemorySpanExporter();
export function setUp(processors = []) {
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [...processors, new SimpleSpanProcessor(exporter)] }));
}
const tracer = () => trace.getTracer("application");
export const inTool = (name, callId, call) => tracer().startActiveSpan("execute_tool " + name, { attributes: {
  "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, "gen_ai.tool.call.id": callId } },
  async (span) => { try { return await call(span); } finally { span.end(); } });
export const inAgent = (call) => tracer().startActiveSpan("invoke_agent", { attributes: {
  "gen_ai.operation.name": "invoke_agent" } },
  async (span) => { try { return await call(span); } finally { span.end(); } });
/** The labels of each span by its call id, in short; a label that was written twice would be there twice. */
export const labels = () => Object.fromEntries(exporter.getFinishedSpans().map(({ attributes }) => [
  attributes["gen_ai.tool.call.id"] ?? "root",
  Object.fromEntries(Object.entries(attributes).filter(([key]) => key.startsWith("trustabl."))
    .map(([key, value]) => [key.replace(/^trustabl\\.(tool\\.)?/, ""), value])
    .filter(([key]) => !key.endsWith("_fp")))]));
`;

const CONTRACT = `{
  look_up: {
    description: "Look one thing up.",
    input: { type: "object", additionalProperties: false, required: ["id"], properties: { id: { type: "string", maxLength: 3 } } },
    sideEffect: "read",
    claim: "none",
  },
}`;

const TOOLS = `
export * from "${LABELS}";
export { ToolSpanTracker } from "${LABELS}/tracker";
export * as contracts from "${LABELS}/contracts";
export * as claims from "${LABELS}/claims";
`;

function run({ api, twoLabels, main }: Omit<Application, "tools">): unknown {
  const folder = application({ api, twoLabels, tools: TOOLS, main: SET_UP + main });
  const printed = execFileSync(process.execPath, ["main.mjs"], {
    cwd: folder,
    encoding: "utf8",
    timeout: 60_000,
  });
  return JSON.parse(printed);
}

function doctor(folder: string, ...parameters: string[]): { code: number | null; text: string } {
  const bin = `node_modules/${LABELS}/dist/cli/bin.js`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, "doctor", ...parameters], {
    cwd: folder,
    encoding: "utf8",
    timeout: 60_000,
  });
  return { code: status, text: stdout + stderr };
}

const ONE_API = { application: "@opentelemetry/api" };

describe("two copies of this package, of two versions", () => {
  it("share a run: steps and attempts go on, whichever copy started it and wrapped the tool", () => {
    const { labels, heard, two } = run({
      api: ONE_API,
      twoLabels: true,
      main: `
      import * as one from "${LABELS}";
      import * as other from "tools";
      setUp();
      const tool = (copy) => copy.wrapTool({ name: "look_up", sideEffect: "read" }, async (query) => [query]);
      const [ofOne, ofOther] = [tool(one), tool(other)];
      await inAgent((root) => one.withRun(root, async () => {
        await inTool("look_up", "call_1", () => ofOne({ id: "a" }));
        await inTool("look_up", "call_2", () => ofOther({ id: "a" }));
        await inTool("look_up", "call_3", (span) => { other.markToolSpan(span, {
          args: { id: "a" }, result: [], attempt: 3, runId: other.currentRun().runId, stepIndex: other.currentRun().nextStep() }); });
        other.currentRun().stop("max_steps");
      }, { runId: "run-1" }));
      console.log(JSON.stringify({ labels: labels(), heard, two: one.Run !== other.Run }));`,
    }) as Record<string, unknown>;
    expect(two).toBe(true);
    expect(heard).toEqual([]);
    expect(labels).toEqual({
      call_1: { run_id: "run-1", step_index: 0, attempt: 1, side_effect: "read" },
      call_2: { run_id: "run-1", step_index: 1, attempt: 2, side_effect: "read" },
      call_3: { run_id: "run-1", step_index: 2, attempt: 3 },
      root: { run_id: "run-1", exit_reason: "max_steps" },
    });
  });

  it("find each other's spans by a tracker, and two trackers label no call twice", () => {
    const main = (trackers: string) => `
      import * as one from "${LABELS}";
      import { ToolSpanTracker } from "${LABELS}/tracker";
      import * as other from "tools";
      setUp([${trackers}]);
      const tool = (copy) => copy.wrapTool(
        { name: "look_up", sideEffect: "read", callId: (_query, id) => id }, async (query) => [query]);
      const [ofOne, ofOther] = [tool(one), tool(other)];
      // The span is live, and never the active one.
      const outside = (callId, call) => { let result;
        const root = context.active();
        return inTool("look_up", callId, () => context.with(root, call)); };
      await inAgent((root) => other.withRun(root, async () => {
        await outside("call_1", () => ofOne({ id: "a" }, "call_1"));
        await outside("call_2", () => ofOther({ id: "a" }, "call_2"));
      }, { runId: "run-1" }));
      console.log(JSON.stringify({ labels: labels(), heard }));`;
    const expected = {
      heard: [],
      labels: {
        call_1: { run_id: "run-1", step_index: 0, attempt: 1, side_effect: "read" },
        call_2: { run_id: "run-1", step_index: 1, attempt: 2, side_effect: "read" },
        root: { run_id: "run-1", exit_reason: "final_answer" },
      },
    };
    for (const trackers of [
      "new ToolSpanTracker()",
      "new other.ToolSpanTracker()",
      "new ToolSpanTracker(), new other.ToolSpanTracker()",
    ]) {
      expect(run({ api: ONE_API, twoLabels: true, main: main(trackers) }), trackers).toEqual(expected);
    }
  });

  it("hold each other's contracts, and know each other's errors by their code", () => {
    expect(
      run({
        api: ONE_API,
        twoLabels: true,
        main: `
      import * as one from "${LABELS}";
      import { defineTools, ContractViolationError } from "${LABELS}/contracts";
      import * as other from "tools";
      setUp();
      const tools = defineTools(${CONTRACT});
      const ran = [];
      const guarded = other.contracts.tool(tools.look_up, async ({ id }) => { ran.push(id); return [id]; });
      const mediated = other.claims.mediate(tools, { vocabulary: { intentClasses: ["read"] }, resolveFacts: async () => ({}) })
        .tool("look_up", async ({ id }) => { ran.push(id); return [id]; });
      const answers = [];
      const ask = (callId, call) => inTool("look_up", callId, call).then(
        () => answers.push("ran"),
        (error) => answers.push([error.code, one.TrustablError.isInstance(error), error instanceof ContractViolationError]));
      await inAgent((root) => one.withRun(root, async () => {
        await ask("call_1", () => guarded({ id: "a" }));
        await ask("call_2", () => guarded({ id: "much too long" }));
        await ask("call_3", () => mediated({ id: "b" }));
      }, { runId: "run-1" }));
      console.log(JSON.stringify({ answers, ran, labels: labels(), heard,
        digest: other.contracts.registryDigest(tools) === other.contracts.registryDigest(other.contracts.defineTools(${CONTRACT})) }));`,
      }),
    ).toEqual({
      answers: ["ran", ["arguments_refused", true, false], ["review_required", true, false]],
      ran: ["a"],
      digest: true,
      heard: [],
      labels: {
        call_1: { run_id: "run-1", step_index: 0, attempt: 1, side_effect: "read" },
        call_2: { run_id: "run-1", step_index: 1, attempt: 1, side_effect: "read", error_class: "schema" },
        call_3: { run_id: "run-1", step_index: 2, attempt: 1, side_effect: "read", error_class: "auth" },
        root: { run_id: "run-1", exit_reason: "final_answer" },
      },
    });
  });

  it("are named by the doctor, with what to do", () => {
    const folder = application({ api: ONE_API, twoLabels: true, tools: TOOLS, main: "" });
    const { code, text } = doctor(folder);
    expect(text).toContain(`2 copies of ${LABELS} are installed`);
    expect(text).toContain(`${OTHER_VERSION}  node_modules/tools/node_modules/${LABELS}  used by tools`);
    expect(text).toContain("To fix it: ");
    expect(code).toBe(0);
    expect(doctor(folder, "--strict").code).toBe(1);
  });
});

/** A run of the application's copy with a tool of each copy; `TRACING` says who registers. */
const runOfBoth = (register: string) => `
      import * as one from "${LABELS}";
      import * as other from "tools";
      ${register}
      const tool = (copy) => copy.wrapTool({ name: "look_up", sideEffect: "read" }, async (query) => [query.id]);
      const results = [];
      await inAgent((root) => one.withRun(root, async () => {
        for (const [callId, copy] of [["call_1", one], ["call_2", other]])
          results.push(...await inTool("look_up", callId, () => tool(copy)({ id: callId })));
      }, { runId: "run-1" }));
      await inAgent((root) => other.withRun(root, async () => {
        results.push(...await inTool("look_up", "call_3", () => tool(other)({ id: "call_3" })));
      }, { runId: "run-2" }));
      console.log(JSON.stringify({ results, labels: labels(), heard: heard.filter((text) => text.startsWith("agent-")) }));`;

describe("two copies of @opentelemetry/api", () => {
  const ofOne = { run_id: "run-1", step_index: 0, attempt: 1, side_effect: "read" };

  it("get along when the one that registered is the newer", () => {
    const answer = run({
      api: { application: "@opentelemetry/api", tools: "otel-api-1-4" },
      twoLabels: true,
      main: runOfBoth("setUp();"),
    }) as { labels: Record<string, unknown> };
    expect(answer).toMatchObject({ results: ["call_1", "call_2", "call_3"], heard: [] });
    expect(answer.labels).toMatchObject({
      call_1: ofOne,
      call_2: { ...ofOne, step_index: 1 },
      call_3: { ...ofOne, run_id: "run-2" },
    });
  });

  it("lose the labels of the newer one when the older has registered, which diag and the doctor name", () => {
    const api = { application: "@opentelemetry/api", tools: "otel-api-1-10" };
    const answer = run({ api, twoLabels: true, main: runOfBoth("setUp();") }) as {
      labels: Record<string, unknown>;
      heard: string[];
    };
    // The tools give what they give, and what the application's own copy does is as ever.
    expect(answer).toMatchObject({ results: ["call_1", "call_2", "call_3"], labels: { call_1: ofOne } });
    expect([answer.labels.call_2, answer.labels.call_3]).toEqual([{}, {}]);
    const sentence =
      /^agent-reliability-otel-labels: .*@opentelemetry\/api 1\.9\.\d+ registered the tracing, and this package has another copy of it that does not see that: see npx otel-labels doctor$/;
    expect(answer.heard).toEqual([expect.stringMatching(sentence), expect.stringMatching(sentence)]);
    const { code, text } = doctor(application({ api, twoLabels: true, tools: TOOLS, main: "" }));
    expect(text).toMatch(/fault {4}2 copies of @opentelemetry\/api are installed that do not get along\./);
    expect(text).toMatch(
      /fault {4}agent-reliability-otel-labels uses 1\.10\.\d+, the application 1\.9\.\d+\./,
    );
    expect(text).toContain("npm dedupe");
    expect(code).toBe(1);
  });

  it("refuse each other's registration, so that an older one that came first keeps the application's spans from being", () => {
    const api = { application: "@opentelemetry/api", tools: "otel-api-1-4" };
    const folder = application({
      api,
      twoLabels: true,
      tools: `import { context } from "@opentelemetry/api";
        context.setGlobalContextManager({ active() { return context.active(); }, with(_given, fn) { return fn(); },
          bind: (_given, target) => target, enable() { return this; }, disable() { return this; } });
        ${TOOLS}`,
      main: `import "tools"; import { trace } from "@opentelemetry/api";
        import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
        console.log(trace.setGlobalTracerProvider(new BasicTracerProvider()));`,
    });
    expect(execFileSync(process.execPath, ["main.mjs"], { cwd: folder, encoding: "utf8" })).toBe("false\n");
    const { code, text } = doctor(folder, "--import", "./main.mjs");
    expect(text).toMatch(/fault {4}Version 1\.4\.\d+ registered first, and newer copies do not see it\./);
    expect(text).toMatch(/fault {4}No tracer provider is registered after the set-up was loaded\./);
    expect(code).toBe(1);
  });
});
