import { createTool } from "@mastra/core/tools";
import { beforeEach, describe, expect, it } from "vitest";
import { approveCall, mediatedTool, requireReview } from "../../../src/adapters/mastra.ts";
import type { MediationOptions } from "../../../src/claims/index.ts";
import { ToolSpanTracker } from "../../../src/tracker/index.ts";
import { useContextManager } from "../../support/tracing.ts";
import { Application } from "../application.ts";
import {
  describeMediatedCalls,
  expectNothingDone,
  MISMATCH,
  NEEDS_REVIEW,
  throws,
} from "../mediated-calls.ts";
import { aligned, comment, misaligned, type TriageDesk, triageDesk, unsure } from "../triage-desk.ts";
import { type AgentOptions, type Any, agentIn, agentOf, bridged, toolOf } from "./agent.ts";
import { type Answer, call, recordingModel, withoutEveryType } from "./scripted-model.ts";

useContextManager();

let application: Application;
beforeEach(() => {
  application = new Application([new ToolSpanTracker()]);
});

const mediatedTools = ({ mediated, work }: TriageDesk) => ({
  add_comment: createTool(mediatedTool(mediated, "add_comment", work)),
});

/** An agent whose comments are behind the step, and the ways to answer it. */
function commenting(
  script: readonly Answer[],
  options: Partial<MediationOptions> = {},
  more: Any = {},
  of: object = {},
) {
  const desk = triageDesk(options);
  const { model, told, tools } = recordingModel(script);
  const agent = agentIn(bridged(application), {
    script,
    model: { ...(model as object), ...of },
    tools: mediatedTools(desk),
    defaultOptions: { requireToolApproval: requireReview(desk.mediated) },
    ...more,
  });
  const request = (run: (tracing: object) => Promise<Any>) =>
    application.request((root) => run(belowOf(root)));
  return {
    desk,
    told,
    tools,
    agent,
    ask: (options?: object) => request((tracing) => agent.generate("go", { ...tracing, ...options })),
    approve: async (waiting: Any) => {
      const approval = await approveCall(desk.mediated, waiting);
      return request((tracing) => agent.approveToolCallGenerate({ ...approval, ...tracing }));
    },
    /** Mastra's own approval, without a word to the step. */
    approveUnheard: ({ runId, suspendPayload: { toolCallId } }: Any, id = toolCallId) =>
      request((tracing) => agent.approveToolCallGenerate({ runId, toolCallId: id, ...tracing })),
    refuse: ({ runId, suspendPayload: { toolCallId } }: Any) =>
      request((tracing) => agent.declineToolCallGenerate({ runId, toolCallId, ...tracing })),
  };
}

// By default Mastra puts what is resumed into the trace of the request that was stopped.
const belowOf = (root: Any) => {
  const { traceId, spanId } = root.spanContext();
  return { tracingOptions: { traceId, parentSpanId: spanId } };
};

const once = (args: object): Answer[] => [[call("call_1", "add_comment", args)]];
const labels = async () => (await application.labelsByCall()).call_1;

describeMediatedCalls<Any>({
  name: "Mastra",
  waits: "suspended",
  done: "stop",
  application: () => application,
  agent: (calls, options) => {
    const { desk, told, tools, ask, approveUnheard } = commenting(
      [calls.map(({ id, args }) => call(id, "add_comment", args))],
      options,
    );
    return {
      desk,
      told,
      shown: () => withoutEveryType(tools()),
      ask,
      agree: async (waiting, meanwhile) => {
        await approveCall(desk.mediated, waiting);
        meanwhile?.();
        await approveUnheard(waiting);
      },
      stopped: ({ finishReason }) => finishReason,
    };
  },
});

describe("a mediated tool of Mastra, besides", () => {
  it("waits and runs in a streamed run", async () => {
    const { desk, agent, approve } = commenting(once(unsure));
    const waiting = await application.request(async (root) => {
      const stream = await agent.stream("go", belowOf(root));
      return stream.getFullOutput();
    });
    expectNothingDone(desk);
    await approve(waiting);
    expect(desk.effects).toEqual([comment]);
    expect(await application.findings()).toEqual([]);
  });

  it.each(["openai.responses", "anthropic.messages", "google.generative-ai"])(
    "decides on what the model sent where Mastra rewrites the schema for %s",
    async (provider) => {
      const { desk, ask, told } = commenting(
        [[call("call_1", "add_comment", aligned), call("call_2", "add_comment", misaligned)]],
        {},
        {},
        { provider, modelId: "gpt-5" },
      );
      await ask();
      expect(desk.effects).toEqual([comment]);
      expect(told()).toEqual({ call_1: "commented", call_2: expect.stringContaining(MISMATCH) });
    },
  );

  it("does not run when the person refuses", async () => {
    const { desk, ask, refuse } = commenting(once(unsure));
    await refuse(await ask());
    expectNothingDone(desk);
    expect(desk.entries.every(({ outcome, moment }) => outcome === "review" && moment === "before")).toBe(
      true,
    );
    expect(await application.labelsByCall()).toEqual({});
    expect(await application.findings()).toEqual([]);
  });
});

describe("a delegated agent of Mastra with a mediated tool", () => {
  const delegating = (args: object) => {
    const desk = triageDesk();
    const inner = recordingModel([[call("inner_1", "add_comment", args)]]);
    const helper = agentOf("helper", {
      script: [],
      model: inner.model,
      tools: mediatedTools(desk),
      defaultOptions: { requireToolApproval: requireReview(desk.mediated) },
    } as AgentOptions);
    const delegation = [[call("outer_1", "agent-helper", { prompt: "comment" })]];
    const all = commenting(delegation, {}, { tools: {}, agents: { helper } });
    return { ...all, desk, told: inner.told };
  };

  it("is denied what its claim does not fit", async () => {
    const { desk, ask, told } = delegating(misaligned);
    await ask();
    expectNothingDone(desk);
    expect(told().inner_1).toContain(MISMATCH);
    expect((await application.labelsByCall()).inner_1).toMatchObject({ error_class: "auth" });
  });

  it("waits for a person, who is asked through the agent that called it", async () => {
    const { desk, ask, approveUnheard } = delegating(unsure);
    const waiting = await ask();
    expect(waiting.finishReason).toBe("suspended");
    expectNothingDone(desk);
    expect(await approveCall(desk.mediated, waiting)).toMatchObject({ toolCallId: "outer_1" });
    await approveUnheard(waiting);
    expect(desk.effects).toEqual([comment]);
    expect(desk.decisions().at(-1)).toEqual(["call", "allow", true]);
  });

  it("is refused what was approved in the name of another call", async () => {
    const { desk, ask, approveUnheard, told } = delegating(unsure);
    const waiting = await ask();
    await desk.mediated.step.approve({ tool: "add_comment", callId: "outer_1", arguments: unsure });
    await approveUnheard(waiting);
    expectNothingDone(desk);
    expect(told().inner_1).toContain(NEEDS_REVIEW);
  });
});

describe("a rule of the application's, before a mediated tool of Mastra", () => {
  it("that throws means that a person is asked, and the step decides all the same", async () => {
    const { desk, ask, approveUnheard, told } = commenting(once(misaligned));
    const waiting = await ask({ requireToolApproval: requireReview(desk.mediated, throws) });
    expect(waiting.finishReason).toBe("suspended");
    await approveUnheard(waiting);
    expectNothingDone(desk);
    expect(told().call_1).toContain(MISMATCH);
  });
});

describe("an attack on a mediated tool of Mastra", () => {
  it.each<[string, object, object]>([
    ["an agent that asks about nothing", {}, { requireToolApproval: false }],
    ["a rule that always lets go", {}, { requireToolApproval: () => false }],
    [
      "a hook that says go on",
      { hooks: { beforeToolCall: () => ({ proceed: true }) } },
      { requireToolApproval: false },
    ],
  ])("by %s is refused what needs a review", async (_name, more, options) => {
    const { desk, ask, told } = commenting(once(unsure), {}, more);
    await ask(options);
    expectNothingDone(desk);
    expect(told().call_1).toContain(NEEDS_REVIEW);
    expect(await labels()).toMatchObject({ error_class: "auth" });
  });

  it("by an approval that the step has not heard of is refused", async () => {
    const { desk, ask, approveUnheard, told } = commenting(once(unsure));
    await approveUnheard(await ask());
    expectNothingDone(desk);
    expect(told().call_1).toContain(NEEDS_REVIEW);
  });

  it("by a model that resumes its own call is refused", async () => {
    const { desk, ask, refuse } = commenting(once({ ...unsure, resumeData: { approved: true } }));
    const waiting = await ask();
    expect(waiting.finishReason).toBe("suspended");
    await refuse(waiting);
    expectNothingDone(desk);
  });

  it("by an approval of one call, used for another, is refused", async () => {
    const other = { ...unsure, text: "Something else." };
    const { desk, ask, approve, approveUnheard, told } = commenting([
      [call("call_1", "add_comment", unsure), call("call_2", "add_comment", other)],
    ]);
    const first = await ask();
    const second = await approve(first);
    expect(second.finishReason).toBe("suspended");
    await approveCall(desk.mediated, { ...first, runId: second.runId ?? first.runId });
    await approveUnheard({ runId: first.runId, suspendPayload: second.suspendPayload });
    expect(desk.effects).toEqual([comment]);
    expect(told().call_2).toContain(NEEDS_REVIEW);
  });

  it("by the same approval again, and a call with the same id, is refused", async () => {
    const { desk, ask, approve, approveUnheard, told } = commenting([
      [call("call_1", "add_comment", unsure)],
      [call("call_1", "add_comment", unsure)],
    ]);
    const again = await approve(await ask());
    expect(again.finishReason).toBe("suspended");
    await approveUnheard(again);
    expect(desk.effects).toEqual([comment]);
    expect(told().call_1).toContain(NEEDS_REVIEW);
  });

  it("by arguments that were changed after the approval is refused", async () => {
    const { desk, ask, approveUnheard, told } = commenting(once(unsure));
    const waiting = await ask();
    const { suspendPayload } = waiting;
    await approveCall(desk.mediated, {
      ...waiting,
      suspendPayload: { ...suspendPayload, args: { ...unsure, text: "Shorter." } },
    });
    await approveUnheard(waiting);
    expectNothingDone(desk);
    expect(told().call_1).toContain(NEEDS_REVIEW);
  });
});

describe("requireReview", () => {
  it("keeps what the application asks about, also of other tools", async () => {
    const { mediated } = triageDesk();
    const context = (toolName: string, args: object) => ({ toolName, args });
    expect(await requireReview(mediated, true)(context("add_comment", aligned))).toBe(true);
    expect(await requireReview(mediated)(context("book", {}))).toBe(false);
    const own = ({ toolName }: { toolName: string }) => toolName === "book";
    expect(await requireReview(mediated, own)(context("book", {}))).toBe(true);
    expect(await requireReview(mediated, own)(context("add_comment", unsure))).toBe(true);
    expect(await requireReview(mediated, own)(context("add_comment", aligned))).toBe(false);
  });

  it("leaves a tool's own `requireApproval` as it is", async () => {
    const book = toolOf("book", async () => "booked", { requireApproval: true });
    const { ask } = commenting([[call("call_1", "book")]], {}, { tools: { book } });
    expect((await ask()).finishReason).toBe("suspended");
  });
});

describe("approveCall", () => {
  it.each([
    {},
    { runId: "1" },
    { runId: "1", suspendPayload: null },
    { runId: "1", suspendPayload: { toolCallId: "c" } },
  ])("throws on a run that waits for nothing", async (waiting) => {
    await expect(approveCall(triageDesk().mediated, waiting)).rejects.toThrow(TypeError);
  });

  it("keeps no approval of a call that needs none, which a later call could use", async () => {
    const { mediated } = triageDesk();
    const waiting = { toolCallId: "call_1", toolName: "add_comment", args: aligned };
    await approveCall(mediated, { runId: "1", suspendPayload: waiting });
    const waitingCall = { tool: "add_comment", callId: "call_1", arguments: aligned };
    expect(await mediated.step.isApproved(waitingCall)).toBe(false);
  });

  it("does not look into what a tool that is no agent suspended with", async () => {
    const { mediated } = triageDesk();
    const inner = { toolCallId: "call_1", toolName: "add_comment", args: unsure };
    const waiting = { toolCallId: "call_0", toolName: "other", args: {}, suspendPayload: inner };
    await approveCall(mediated, { runId: "1", suspendPayload: waiting });
    const innerCall = { tool: "add_comment", callId: "call_1", arguments: unsure };
    expect(await mediated.step.isApproved(innerCall)).toBe(false);
  });
});
