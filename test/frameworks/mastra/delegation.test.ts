import { createStep, createWorkflow } from "@mastra/core/workflows";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { labelDelegation, labelTools } from "../../../src/adapters/mastra.ts";
import { canonicalFp } from "../../../src/index.ts";
import { ToolSpanTracker } from "../../../src/tracker/index.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import { useContextManager } from "../../support/tracing.ts";
import { Application, byStep, delegatedOf, isToolSpan, labelsOf } from "../application.ts";
import { scenario } from "../scenario.ts";
import { type AgentOptions, type Any, agentIn, agentOf, bridged, ROW, search, toolOf } from "./agent.ts";
import { call } from "./scripted-model.ts";

useContextManager();

let application: Application;
beforeEach(() => {
  application = new Application([new ToolSpanTracker()]);
});

const tools = labelTools({ search });
// The inner model numbers its calls as the outer one does.
const researcher = () => agentOf("researcher", { script: [[call("call_1", "search")], "found it"], tools });
const askTwice = [
  [call("call_1", "agent-researcher", { prompt: "what?" })],
  [call("call_2", "search")],
  [call("call_3", "agent-researcher", { prompt: "what?", maxSteps: 3 })],
];
const delegating = (more: Partial<AgentOptions> = {}): AgentOptions => ({
  script: askTwice,
  tools,
  agents: { researcher: researcher() },
  ...more,
});

const stepsOf = async () =>
  byStep(await application.spans()).map((span) => {
    const { step_index, attempt } = labelsOf(span);
    return [span.attributes["gen_ai.tool.name"], step_index, attempt];
  });

/** Both delegated agents, each directly below its call and with an id of its own. */
const expectTwoMarked = async () => {
  const spans = await application.spans();
  const toolIds = new Set(spans.filter(isToolSpan).map(({ spanId }) => spanId));
  const delegated = delegatedOf(spans);
  expect(delegated.map(({ parentSpanId }) => toolIds.has(parentSpanId ?? ""))).toEqual([true, true]);
  expect(new Set(delegated.map(({ attributes }) => attributes["trustabl.handoff_id"])).size).toBe(2);
};

describe("an agent of Mastra that calls another", () => {
  it.each(["generate", "stream"])(
    "has labels on the call, the other agent and its calls, by %s",
    scenario(ROW, "delegation"),
    async (method) => {
      const agent = agentIn(bridged(application), delegating());
      const delegation = labelDelegation({ "agent-researcher": { sideEffect: "read" } });
      await application.request(async () => {
        const output = await agent[method]("go", { delegation });
        if (method === "stream") for await (const part of output.fullStream) void part;
      });
      expect(await stepsOf()).toEqual([
        ["agent-researcher", 0, 1],
        ["search", 1, 1],
        ["search", 2, 2],
        ["agent-researcher", 3, 1],
      ]);
      const [first, , , last] = byStep(await application.spans()).map(labelsOf);
      expect(first).toMatchObject({
        side_effect: "read",
        input_fp: canonicalFp({ prompt: "what?" }),
        output_fp: canonicalFp("found it"),
      });
      expect(last).toMatchObject({ input_fp: canonicalFp({ prompt: "what?", maxSteps: 3 }) });
      await expectTwoMarked();
      expect(await application.findings()).toEqual([]);
    },
  );

  it("has its own tool around the other agent marked without a word", async () => {
    const ask = toolOf("ask", async ({ q }, { tracingContext }) => {
      const { text } = await researcher().generate(q, { tracingContext });
      return { answer: text };
    });
    const script = [[call("call_1", "ask")], [call("call_2", "ask")]];
    await application.request(() =>
      agentIn(bridged(application), { script, tools: labelTools({ ask }) }).generate("go"),
    );
    expect(await stepsOf()).toEqual([
      ["ask", 0, 1],
      ["search", 1, 1],
      ["ask", 2, 2],
      ["search", 3, 2],
    ]);
    await expectTwoMarked();
    expect(await application.findings()).toEqual([]);
  });
});

describe("the labels of a delegation", () => {
  const delegate = async (hooks: object, definitions: Any = {}, more: Partial<AgentOptions> = {}) => {
    const script = [[call("call_1", "agent-researcher", { prompt: "what?" })]];
    const agent = agentIn(bridged(application), delegating({ script, ...more }));
    const delegation = labelDelegation(definitions, hooks);
    const result: Any = await application.request(() => agent.generate("go", { delegation }));
    const spans = await application.spans();
    const span = spans.find(({ attributes }) => attributes["gen_ai.tool.name"] === "agent-researcher");
    return { result, labels: labelsOf(span) };
  };

  it("are those of the text that a hook puts in the place of the other agent's, which the model gets as before", async () => {
    const seen: unknown[] = [];
    const { labels } = await delegate({
      onDelegationStart: (started: Any) => void seen.push(started.prompt),
      onDelegationComplete: async (completed: Any) => {
        seen.push(completed.result.text);
        return { resultText: "better" };
      },
    });
    expect(seen).toEqual(["what?", "found it"]);
    expect(labels).toMatchObject({ output_fp: canonicalFp("better"), attempt: 1, step_index: 0 });
  });

  it("say that nothing was returned when a hook refuses it, and the refusal stands", async () => {
    const { result, labels } = await delegate({
      onDelegationStart: () => ({ proceed: false, rejectionReason: "not now" }),
      includeSubAgentToolResultsInModelContext: true,
    });
    expect(JSON.stringify(result.steps)).toContain("not now");
    expect(labels).toMatchObject({
      output_fp: canonicalFp(null),
      input_fp: canonicalFp({ prompt: "what?" }),
    });
    expect(delegatedOf(await application.spans())).toEqual([]);
  });

  it("have the class of what the other agent throws", async () => {
    const broken = agentOf("researcher", { script: [] });
    broken.generate = () => Promise.reject(Object.assign(new Error("no"), { status: 401 }));
    const { labels } = await delegate({}, {}, { agents: { researcher: broken } });
    expect(labels).toMatchObject({ error_class: "auth", output_fp: canonicalFp(null) });
  });

  it("do not suffer from a hook that throws, which Mastra deals with", async () => {
    const { result, labels } = await delegate({
      onDelegationComplete: () => {
        throw new Error("hook");
      },
    });
    expect(result.text).toBe("done");
    expect(labels).toMatchObject({ output_fp: canonicalFp("found it") });
  });

  it("are refused at once when a definition is wrong", () => {
    expect(() => labelDelegation({ "agent-a": { sideEffect: "reads" as "read" } })).toThrow(RangeError);
  });
});

describe("a tool of Mastra in a workflow", () => {
  const text = z.object({ q: z.string() });
  const found = toolOf("search", async ({ q }) => ({ found: q }), { outputSchema: z.any() });
  const step = labelTools({ search: found }).search;
  const workflow = () =>
    createWorkflow({ id: "find", description: "finds", inputSchema: text, outputSchema: z.any() })
      .then(createStep(step as Any))
      .commit();

  it("has no span of its own as a step: nothing is written, and that is told", async () => {
    const messages = hearDiagnostics();
    const agent = agentIn(bridged(application), {
      script: [[call("call_1", "workflow-find", { inputData: { q: "same" } })], [call("call_2", "search")]],
      tools,
      workflows: { find: workflow() },
    });
    await application.request(() => agent.generate("go"));
    const { call_1, call_2 } = await application.labelsByCall();
    expect(call_1).toEqual({});
    // It ran, so it counts.
    expect(call_2).toMatchObject({ step_index: 1, attempt: 2 });
    expect(ownMessages(messages)).toEqual([expect.stringContaining('a call of the tool "search"')]);
  });
});
