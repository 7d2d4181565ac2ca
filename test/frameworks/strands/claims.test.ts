import { AfterToolCallEvent, BeforeToolCallEvent, tool } from "@strands-agents/sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { mediatedTool, requireReview, type StrandsReviewOptions } from "../../../src/adapters/strands.ts";
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
import { type Any, agentOf, NEWEST_CONVENTIONS, toolOf, use } from "./agent.ts";
import { type Answer, call, RecordingModel } from "./scripted-model.ts";

useContextManager();

let application: Application;
beforeEach(() => {
  process.env.OTEL_SEMCONV_STABILITY_OPT_IN = NEWEST_CONVENTIONS;
  application = new Application([new ToolSpanTracker()]);
  use(application);
});

interface Setting extends StrandsReviewOptions {
  readonly mediation?: Partial<MediationOptions>;
  /** Whether the agent asks a person at all. */
  readonly asks?: boolean;
  readonly desk?: TriageDesk;
  readonly agent?: object;
}

/** An agent whose comments are behind the step, and the ways to answer it. */
function commenting(script: readonly Answer[], setting: Setting = {}) {
  const desk = setting.desk ?? triageDesk(setting.mediation);
  const model = new RecordingModel(script);
  const addComment = tool(mediatedTool(desk.mediated, "add_comment", desk.work));
  const agent = agentOf([], { model, tools: [addComment], ...setting.agent });
  if (setting.asks !== false) agent.addHook(BeforeToolCallEvent, requireReview(desk.mediated, setting));
  const invoke = (input: Any): Promise<Any> => application.request(() => agent.invoke(input));
  return {
    desk,
    agent,
    model,
    told: () => model.told(),
    ask: () => invoke("go"),
    answer: ({ interrupts }: Any, response: unknown = "yes") =>
      invoke(interrupts.map(({ id }: Any) => ({ interruptResponse: { interruptId: id, response } }))),
  };
}

const once = (args: object): Answer[] => [[call("call_1", "add_comment", args)]];
const labels = async () => (await application.labelsByCall()).call_1;

describeMediatedCalls<Any>({
  name: "Strands",
  waits: "interrupt",
  done: "endTurn",
  application: () => application,
  agent: (calls, mediation = {}) => {
    const { desk, told, model, ask, answer } = commenting(
      [calls.map(({ id, args }) => call(id, "add_comment", args))],
      { mediation },
    );
    return {
      desk,
      told,
      shown: () => model.tools(),
      ask,
      agree: async (waiting, meanwhile) => {
        meanwhile?.();
        await answer(waiting);
      },
      stopped: ({ stopReason }) => stopReason,
    };
  },
});

describe("a mediated tool of Strands, besides", () => {
  it("shows the person the call", async () => {
    const { ask } = commenting(once(unsure));
    const waiting = await ask();
    expect(waiting.interrupts[0].reason).toEqual({ tool: "add_comment", arguments: unsure });
  });

  it.each(["no", "", false, { yes: "yes" }, "yes, but later"])(
    "does not run when the person answers %j",
    async (response) => {
      const { desk, ask, answer, told } = commenting(once(unsure));
      await answer(await ask(), response);
      expectNothingDone(desk);
      expect(told().call_1).toContain("Not run: the call was denied.");
      expect(await application.labelsByCall()).toEqual({});
      expect(await application.findings()).toEqual([]);
    },
  );

  it("denies an approved call when the facts change after the hook", async () => {
    const { desk, agent, ask, answer, told } = commenting(once(unsure));
    const waiting = await ask();
    agent.addHook(BeforeToolCallEvent, () => desk.closeRoute());
    await answer(waiting);
    expectNothingDone(desk);
    expect(told().call_1).toContain("Not run: the claim does not match the route.");
  });

  it("asks only about the one of two calls that needs it", async () => {
    const { desk, ask, answer, told } = commenting([
      [call("call_1", "add_comment", misaligned), call("call_2", "add_comment", unsure)],
    ]);
    await answer(await ask());
    expect(desk.effects).toEqual([comment]);
    expect(told()).toEqual({ call_1: expect.stringContaining(MISMATCH), call_2: "commented" });
    const { call_1, call_2 } = await application.labelsByCall();
    expect(call_1).toMatchObject({ error_class: "auth" });
    expect(call_2).not.toHaveProperty("error_class");
    expect(await application.findings()).toEqual([]);
  });
});

describe("a delegated agent of Strands with a mediated tool", () => {
  const delegating = (args: object, asks = true) => {
    const desk = triageDesk();
    const inner = commenting([[call("inner_1", "add_comment", args)]], {
      desk,
      asks,
      agent: { name: "helper", description: "Comments." },
    });
    const outer = commenting([[call("outer_1", "helper", { input: "comment" })]], {
      desk,
      agent: { tools: [inner.agent] },
    });
    return { ...outer, told: inner.told };
  };

  it("is denied what its claim does not fit", async () => {
    const { desk, ask, told } = delegating(misaligned);
    await ask();
    expectNothingDone(desk);
    expect(told().inner_1).toContain(MISMATCH);
    expect((await application.labelsByCall()).inner_1).toMatchObject({ error_class: "auth" });
  });

  it("runs nothing that needs a review as a tool of Strands, which passes no question on", async () => {
    const { desk, ask } = delegating(unsure);
    expect((await ask()).stopReason).toBe("endTurn");
    expectNothingDone(desk);
    expect(desk.decisions()).toEqual([["before", "review", false]]);
  });

  it("waits for a person, who is asked by a tool that passes its question on", async () => {
    const inner = commenting([[call("inner_1", "add_comment", unsure)]]);
    let waiting: Any;
    const askHelper = toolOf("helper", async ({ q }, context) => {
      waiting ??= await inner.agent.invoke(q);
      const answers = waiting.interrupts.map(({ id, reason }: Any) => ({
        interruptResponse: { interruptId: id, response: context.interrupt({ name: id, reason }) },
      }));
      return (await inner.agent.invoke(answers)).toString();
    });
    const script = [[call("outer_1", "helper")]];
    const { ask, answer } = commenting(script, { agent: { tools: [askHelper] } });
    const question = await ask();
    expect(question.interrupts[0].reason).toEqual({ tool: "add_comment", arguments: unsure });
    expectNothingDone(inner.desk);
    await answer(question);
    expect(inner.desk.effects).toEqual([comment]);
    expect(inner.desk.decisions().at(-1)).toEqual(["call", "allow", true]);
  });

  it("is refused what needs a review when it asks nobody, whatever the agent does that called it", async () => {
    const { desk, ask, told } = delegating(unsure, false);
    await ask();
    expectNothingDone(desk);
    expect(told().inner_1).toContain(NEEDS_REVIEW);
  });
});

describe("what fails before a mediated tool of Strands", () => {
  it("is a refusal when the answer cannot be read", async () => {
    const { desk, ask, answer } = commenting(once(unsure), { isApproval: throws });
    await answer(await ask());
    expectNothingDone(desk);
  });

  it("ends the run when a hook of the application throws", async () => {
    const { desk, agent, ask } = commenting(once(aligned));
    agent.addHook(BeforeToolCallEvent, throws);
    await expect(ask()).rejects.toThrow("no");
    expectNothingDone(desk);
  });

  it("is refused when the arguments are no JSON value that has a digest", async () => {
    const { desk, ask, told } = commenting(once({ ...unsure, text: "\uD800" }));
    await ask();
    expectNothingDone(desk);
    expect(told().call_1).toContain("Not run:");
  });
});

describe("an attack on a mediated tool of Strands", () => {
  const shorter: Any = { ...unsure, text: "Shorter." };

  it("by an agent that asks nobody is refused what needs a review", async () => {
    const { desk, ask, told } = commenting(once(unsure), { asks: false });
    await ask();
    expectNothingDone(desk);
    expect(told().call_1).toContain(NEEDS_REVIEW);
    expect(await labels()).toMatchObject({ error_class: "auth" });
  });

  it("by hooks that say go on is refused what was not agreed to", async () => {
    const { desk, agent, ask, answer, told } = commenting(once(unsure));
    const waiting = await ask();
    agent.addHook(BeforeToolCallEvent, (event) => {
      event.cancel = false;
    });
    await answer(waiting, "no");
    expectNothingDone(desk);
    expect(told().call_1).toContain(NEEDS_REVIEW);
  });

  it("by arguments that were changed after the approval is refused", async () => {
    const { desk, agent, ask, answer, told } = commenting(once(unsure));
    const waiting = await ask();
    agent.addHook(BeforeToolCallEvent, (event) => {
      event.toolUse.input = shorter;
    });
    await answer(waiting);
    expectNothingDone(desk);
    expect(told().call_1).toContain(NEEDS_REVIEW);
  });

  it("by arguments that are changed before the hook asks for them again", async () => {
    const desk = triageDesk();
    const all = commenting(once(unsure), { desk, asks: false });
    let edited = false;
    all.agent.addHook(BeforeToolCallEvent, (event) => {
      if (edited) event.toolUse.input = shorter;
    });
    all.agent.addHook(BeforeToolCallEvent, requireReview(desk.mediated));
    const waiting = await all.ask();
    edited = true;
    const again = await all.answer(waiting);
    expect(again.stopReason).toBe("interrupt");
    expectNothingDone(desk);
  });

  it("by an approval of one call, used for another, is refused", async () => {
    const other = { ...unsure, text: "Something else." };
    const { desk, ask, answer, told } = commenting([
      [call("call_1", "add_comment", unsure), call("call_2", "add_comment", other)],
    ]);
    let waiting = await ask();
    const answers: unknown[] = [];
    while (waiting.stopReason === "interrupt") {
      const [{ reason }] = waiting.interrupts;
      answers.push(reason.arguments.text);
      waiting = await answer(
        { interrupts: waiting.interrupts.slice(0, 1) },
        reason.arguments.text === comment.text ? "yes" : "no",
      );
    }
    expect(answers).toEqual([comment.text, "Something else."]);
    expect(desk.effects).toEqual([comment]);
    expect(told().call_2).toContain("Not run: the call was denied.");
  });

  it("by the same call again, with the same id, asks again", async () => {
    const { desk, ask, answer } = commenting([
      [call("call_1", "add_comment", unsure)],
      [call("call_1", "add_comment", unsure)],
    ]);
    const again = await answer(await ask());
    expect(desk.effects).toEqual([comment]);
    expect(again.stopReason).toBe("interrupt");
    await answer(again, "no");
    expect(desk.effects).toEqual([comment]);
  });

  it("by a hook that has Strands call the tool again is refused", async () => {
    const { desk, agent, ask, answer, told } = commenting(once(unsure));
    let retries = 0;
    agent.addHook(AfterToolCallEvent, (event) => {
      if (retries++ === 0) event.retry = true;
    });
    await answer(await ask());
    expect(retries).toBeGreaterThan(1);
    expect(desk.effects).toEqual([comment]);
    expect(told().call_1).toContain(NEEDS_REVIEW);
  });
});
