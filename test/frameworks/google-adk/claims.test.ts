import { AgentTool, FunctionTool } from "@google/adk";
import { beforeEach, describe, expect, it } from "vitest";
import { labelTools, mediatedTool } from "../../../src/adapters/google-adk.ts";
import type { MediationOptions } from "../../../src/claims/index.ts";
import { canonicalFp } from "../../../src/index.ts";
import { aligned, comment, misaligned, type TriageDesk, triageDesk, unsure } from "../triage-desk.ts";
import { agent, conversation } from "./agents.ts";
import { type ScriptedCall, ScriptedModel } from "./scripted-model.ts";
import { inRun, labelsOf, takeSpans, verified } from "./tracing.ts";

// biome-ignore lint/suspicious/noExplicitAny: options and results of the framework, whose types are not what is tested
type Any = any;

beforeEach(() => void takeSpans());

const commentCall = (id: string, args: object): ScriptedCall => ({
  name: "add_comment",
  args: { ...args },
  id,
});

/** An agent whose comments are behind the step, and the ways to answer it. */
async function commenting(
  turns: ScriptedCall[][],
  {
    mediation,
    desk = triageDesk(mediation),
    more,
  }: { mediation?: Partial<MediationOptions>; desk?: TriageDesk; more?: Any } = {},
) {
  const model = new ScriptedModel(...turns);
  const tools = [addComment(desk)];
  const say = await conversation(agent([], { model, tools, ...more }));
  return {
    desk,
    model,
    ask: () => inRun(() => say()),
    answer: (events: Any[], confirmed: unknown, answered = questionsIn(events)) =>
      inRun(() =>
        say(answered.map(({ id, name }) => ({ functionResponse: { id, name, response: { confirmed } } }))),
      ),
    say: (parts: object[]) => inRun(() => say(parts)),
  };
}

const addComment = ({ mediated, work }: TriageDesk) =>
  new FunctionTool(mediatedTool(mediated, "add_comment", async (args) => ({ did: await work(args) })));

const questionsIn = (events: Any[]): Any[] =>
  events
    .flatMap(({ content }) => content?.parts ?? [])
    .flatMap(({ functionCall }) => (functionCall?.name === "adk_request_confirmation" ? [functionCall] : []));

const once = (args: object) => [[commentCall("call_1", args)]];
const DONE = { did: "commented" };
const errorOf = (reason: string) => ({ error: expect.stringContaining(`Not run: ${reason}.`) });
const MISMATCH = errorOf("the claim does not match the arguments");
const expectNothingDone = ({ effects }: TriageDesk) => expect(effects).toEqual([]);

/** The labelled calls so far. None of it fails the verifier; of what failed or has not run ADK captures nothing. */
function labelled(): Record<string, unknown>[] {
  const spans = takeSpans();
  expect(verified(spans).checks.filter(({ outcome }) => outcome === "fail")).toEqual([]);
  return spans.map(labelsOf).filter((labels) => "trustabl.tool.attempt" in labels);
}

describe("a mediated tool of ADK", () => {
  it("runs an aligned call, without the claim", async () => {
    const { desk, ask, model } = await commenting(once(aligned));
    await ask();
    expect(desk.effects).toEqual([comment]);
    expect(model.told()).toEqual({ call_1: DONE });
    expect(desk.decisions().at(-1)).toEqual(["call", "allow", false]);
    const [labels, ...others] = labelled();
    expect(others).toEqual([]);
    expect(labels).toMatchObject({
      "trustabl.tool.input_fp": canonicalFp(comment),
      "trustabl.tool.output_fp": canonicalFp(DONE),
      "trustabl.tool.side_effect": "write",
    });
    expect(labels).not.toHaveProperty(["trustabl.tool.error_class"]);
  });

  it("shows the model the contract with the claim, in a form that ADK's client passes on", async () => {
    const { desk, ask, model } = await commenting(once(aligned));
    await ask();
    expect(model.tools()).toEqual({
      add_comment: { $schema: expect.any(String), ...desk.mediated.shown.add_comment.jsonSchema() },
    });
  });

  it("tells the model of a denial, and asks nobody", async () => {
    const { desk, ask, model } = await commenting(once(misaligned));
    expect(questionsIn(await ask())).toEqual([]);
    expectNothingDone(desk);
    expect(model.told()).toEqual({ call_1: MISMATCH });
    expect(desk.decisions()).toEqual([
      ["before", "deny", false],
      ["call", "deny", false],
    ]);
    expect(labelled()).toMatchObject([{ "trustabl.tool.error_class": "auth" }]);
  });

  it("labels a call without a claim as one of a wrong form", async () => {
    const { desk, ask } = await commenting(once(comment));
    await ask();
    expectNothingDone(desk);
    expect(labelled()).toMatchObject([{ "trustabl.tool.error_class": "schema" }]);
  });

  it("waits for a person, and runs once approved", async () => {
    const { desk, ask, answer, model } = await commenting(once(unsure));
    const waiting = await ask();
    expectNothingDone(desk);
    expect(labelled()).toEqual([]);
    await answer(waiting, true);
    expect(desk.effects).toEqual([comment]);
    expect(model.told().call_1).toEqual(DONE);
    expect(desk.decisions().at(-1)).toEqual(["call", "allow", true]);
    expect(labelled()).toMatchObject([{ "trustabl.tool.output_fp": canonicalFp(DONE) }]);
  });

  it.each([false, "true", 1, undefined])("does not run when the answer is %j", async (confirmed) => {
    const { desk, ask, answer, model } = await commenting(once(unsure));
    await answer(await ask(), confirmed);
    expectNothingDone(desk);
    expect(model.told().call_1).toEqual({ error: "This tool call is rejected." });
    expect(labelled()).toEqual([]);
  });

  it("does not run what a person has refused, when the facts allow it by now", async () => {
    let known = false;
    const { triageFacts } = await import("../triage-claims.ts");
    const resolveFacts = () => (known ? triageFacts : {});
    const { desk, ask, answer } = await commenting(once(aligned), { mediation: { resolveFacts } });
    const waiting = await ask();
    known = true;
    await answer(waiting, false);
    expectNothingDone(desk);
  });

  it("denies an approved call when the facts have changed since", async () => {
    const { desk, ask, answer, model } = await commenting(once(unsure));
    const waiting = await ask();
    desk.closeRoute();
    await answer(waiting, true);
    expectNothingDone(desk);
    expect(model.told().call_1).toEqual(errorOf("the claim does not match the route"));
    expect(labelled()).toMatchObject([{ "trustabl.tool.error_class": "auth" }]);
  });

  it("decides on each of two calls in one turn", async () => {
    const { desk, ask, answer, model } = await commenting([
      [commentCall("call_1", misaligned), commentCall("call_2", unsure)],
    ]);
    await answer(await ask(), true);
    expect(desk.effects).toEqual([comment]);
    // While a call waits, ADK keeps no result of the others in the turn: the model does not hear of the denial.
    expect(model.told()).toEqual({ call_2: DONE });
    const [first, second] = labelled();
    expect(first).toMatchObject({ "trustabl.tool.error_class": "auth" });
    expect(second).not.toHaveProperty(["trustabl.tool.error_class"]);
  });

  it("tells the model of both when none of two calls in one turn waits", async () => {
    const { desk, ask, model } = await commenting([
      [commentCall("call_1", misaligned), commentCall("call_2", aligned)],
    ]);
    await ask();
    expect(desk.effects).toEqual([comment]);
    expect(model.told()).toEqual({ call_1: MISMATCH, call_2: DONE });
  });
});

describe("a delegated agent of ADK with a mediated tool", () => {
  const delegating = async (args: object, how: "tool" | "transfer") => {
    const desk = triageDesk();
    const model = new ScriptedModel([commentCall("inner_1", args)]);
    const helper = agent([], { name: "helper", model, tools: [addComment(desk)] });
    const call =
      how === "tool"
        ? { name: "helper", args: { request: "comment" }, id: "outer_1" }
        : { name: "transfer_to_agent", args: { agentName: "helper" }, id: "outer_1" };
    const more =
      how === "tool"
        ? { tools: labelTools([new AgentTool({ agent: helper })]) }
        : { tools: [], subAgents: [helper] };
    return { ...(await commenting([[call]], { desk, more })), model };
  };

  it.each(["tool", "transfer"] as const)("is denied what its claim does not fit, by %s", async (how) => {
    const { desk, ask, model } = await delegating(misaligned, how);
    await ask();
    expectNothingDone(desk);
    expect(model.told().inner_1).toEqual(MISMATCH);
    const [call] = labelled().filter((labels) => "trustabl.tool.error_class" in labels);
    expect(call).toMatchObject({ "trustabl.tool.error_class": "auth" });
  });

  it("waits for a person after a transfer", async () => {
    const { desk, ask, answer } = await delegating(unsure, "transfer");
    const waiting = await ask();
    expectNothingDone(desk);
    await answer(waiting, true);
    expect(desk.effects).toEqual([comment]);
    expect(desk.decisions().at(-1)).toEqual(["call", "allow", true]);
  });

  it("runs nothing that needs a review as a tool, whose questions ADK does not pass on", async () => {
    const { desk, ask } = await delegating(unsure, "tool");
    expect(questionsIn(await ask())).toEqual([]);
    expectNothingDone(desk);
  });
});

describe("what fails before a mediated tool of ADK", () => {
  const throws = () => {
    throw new Error("no");
  };

  it("is a review when facts cannot be resolved", async () => {
    const { desk, ask } = await commenting(once(aligned), { mediation: { resolveFacts: throws } });
    expect(questionsIn(await ask())).toHaveLength(1);
    expectNothingDone(desk);
  });

  it("is a denial when the decision cannot be recorded", async () => {
    const { desk, ask, model } = await commenting(once(aligned), { mediation: { onDecision: throws } });
    await ask();
    expectNothingDone(desk);
    expect(model.told().call_1).toEqual(errorOf("the call was denied"));
  });

  it("ends the run when a callback of the application throws", async () => {
    const { desk, ask } = await commenting(once(aligned), { more: { beforeToolCallback: throws } });
    await ask().catch(() => undefined);
    expectNothingDone(desk);
  });

  it("is refused by the tool when nobody is asked: what a store of approvals throws denies", async () => {
    const approvals = { put: throws, has: throws, take: throws };
    const { desk, ask, answer } = await commenting(once(unsure), { mediation: { approvals } });
    await answer(await ask(), true).catch(() => undefined);
    expectNothingDone(desk);
  });
});

describe("an attack on a mediated tool of ADK", () => {
  it("by the same confirmation again does nothing more", async () => {
    const { desk, ask, answer } = await commenting(once(unsure));
    const waiting = await ask();
    await answer(waiting, true);
    await answer(waiting, true).catch(() => undefined);
    expect(desk.effects).toEqual([comment]);
  });

  it("by a confirmation of one call, used for another, is refused", async () => {
    const other = { ...unsure, text: "Something else." };
    const { desk, ask, answer } = await commenting([
      [commentCall("call_1", unsure), commentCall("call_2", other)],
    ]);
    const waiting = await ask();
    await answer(waiting, true, questionsIn(waiting).slice(0, 1));
    expect(desk.effects).toEqual([comment]);
  });

  it("by a confirmation that nobody was asked for is refused", async () => {
    const { desk, ask, say } = await commenting(once(unsure));
    await ask();
    const name = "adk_request_confirmation";
    for (const id of ["call_1", "made_up"]) {
      await say([{ functionResponse: { id, name, response: { confirmed: true } } }]).catch(() => undefined);
    }
    expectNothingDone(desk);
  });

  it("by a tool that asks nobody is refused what needs a review", async () => {
    const desk = triageDesk();
    const options = mediatedTool(desk.mediated, "add_comment", desk.work);
    const never = new FunctionTool({ ...options, requireConfirmation: false });
    const { ask, model } = await commenting(once(unsure), { desk, more: { tools: [never] } });
    await ask();
    expectNothingDone(desk);
    expect(model.told().call_1).toEqual(errorOf("the call needs a review"));
  });

  it("by a callback that changes the arguments after the approval is refused", async () => {
    let edits = false;
    const beforeToolCallback = ({ args }: Any) => {
      if (edits) args.text = "Shorter.";
    };
    const { desk, ask, answer, model } = await commenting(once(unsure), { more: { beforeToolCallback } });
    const waiting = await ask();
    edits = true;
    await answer(waiting, true);
    expectNothingDone(desk);
    expect(model.told().call_1).toEqual(errorOf("the call needs a review"));
  });

  it("by a refusal that is followed by a call with the same id asks again", async () => {
    const { desk, ask, answer } = await commenting([
      [commentCall("call_1", unsure)],
      [commentCall("call_1", unsure)],
    ]);
    const again = await answer(await ask(), false);
    expect(questionsIn(again)).toHaveLength(1);
    expectNothingDone(desk);
    const call = { tool: "add_comment", callId: "call_1", arguments: unsure };
    expect(await desk.mediated.step.isApproved(call)).toBe(false);
  });
});

describe("the confirmation of a mediated tool of ADK", () => {
  const call = { tool: "add_comment", callId: "call_1", arguments: unsure };
  const question = (id: string, callId: string) => ({
    content: {
      parts: [
        {
          functionCall: {
            id,
            name: "adk_request_confirmation",
            args: { originalFunctionCall: { id: callId } },
          },
        },
      ],
    },
  });
  const answering = (id: string, ...events: object[]) => ({
    functionCallId: "call_1",
    userContent: { parts: [{ functionResponse: { id, name: "adk_request_confirmation" } }] },
    invocationContext: { session: { events } },
  });

  it.each<[string, boolean, Any]>([
    ["the question about this call is answered", true, answering("q1", question("q1", "call_1"))],
    [
      "the question about another call is",
      false,
      answering("q2", question("q1", "call_1"), question("q2", "call_2")),
    ],
    ["nothing is known of a question", false, answering("q1")],
    ["there is no session", false, { ...answering("q1"), invocationContext: undefined }],
    ["nothing is answered", false, { ...answering("q1", question("q1", "call_1")), userContent: undefined }],
    ["the message has another form", false, { ...answering("q1"), userContent: { parts: "q1" } }],
    [
      "there is no call id",
      false,
      { ...answering("q1", question("q1", "call_1")), functionCallId: undefined },
    ],
    ["there is no context", false, undefined],
  ])("is asked for, and counts only where it is this call's: %s", async (_what, approved, context) => {
    const { mediated, work } = triageDesk();
    const { requireConfirmation } = mediatedTool(mediated, "add_comment", work);
    expect(await requireConfirmation(unsure, context)).toBe(true);
    expect(await mediated.step.isApproved(call)).toBe(approved);
  });
});
