import { DiagLogLevel, diag } from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { approveCall } from "../../../src/adapters/openai-agents.ts";
import { aligned, comment, misaligned, triageDesk, unsure } from "../triage-desk.ts";
import {
  askedIn,
  commentCall,
  Desk,
  errorClasses,
  MISMATCH,
  NEEDS_REVIEW,
  recordingModel,
  versions,
} from "./mediated-desk.ts";
import { openInference } from "./open-inference.ts";
import { traceAgents } from "./traced.ts";

describe.each(versions)("somebody who is up to no good, with OpenAI Agents %s", (_version, agents) => {
  const warned: string[] = [];
  beforeEach(() => {
    traceAgents(agents, openInference);
    warned.length = 0;
    const ignore = () => {};
    const warn = (message: string) => void warned.push(message);
    diag.setLogger(
      { debug: ignore, verbose: ignore, info: ignore, warn, error: warn },
      { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
    );
  });
  afterEach(() => diag.disable());

  it("gets nowhere with an approval of everything, for calls that nobody has seen", async () => {
    const triage = new Desk(agents);
    const model = recordingModel(
      agents,
      [commentCall("call_1", unsure)],
      [commentCall("call_2", unsure), commentCall("call_3", misaligned)],
    );
    const agent = triage.agent(model);
    const result = await triage.conversation(agent, async (asked) => {
      await triage.answer(asked, () => true);
      asked.state.approve(asked.interruptions[0], { alwaysApprove: true });
    });
    expect([askedIn(result), triage.desk.effects]).toEqual([[], [comment]]);
    expect(model.told()).toEqual({ call_1: "commented", call_2: NEEDS_REVIEW, call_3: MISMATCH });
    expect(await errorClasses()).toEqual([undefined, "auth", "auth"]);
  });

  it("gets nowhere with an approval in the SDK's state alone, and diag says what is missing", async () => {
    const triage = new Desk(agents);
    const model = recordingModel(agents, [commentCall("call_1", unsure)]);
    const agent = triage.agent(model);
    const asked = await triage.run(agent);
    asked.state.approve(asked.interruptions[0]);
    await triage.run(agent, asked.state);
    expect([triage.desk.effects, model.told()]).toEqual([[], { call_1: NEEDS_REVIEW }]);
    expect(warned.filter((message) => message.includes("approveCall()"))).toHaveLength(1);
  });

  it("gets nowhere with arguments that were edited after the approval", async () => {
    const triage = new Desk(agents);
    const asked = await triage.run(triage.agent(recordingModel(agents, [commentCall("call_1", unsure)])));
    await triage.answer(asked, () => true);
    const stored = asked.state.toString();
    const edited = stored.replaceAll("The runner was out of disk.", "Something else.");
    expect(edited).not.toBe(stored);
    const model = recordingModel(agents);
    const agent = triage.agent(model);
    // The SDK may notice too, and throw.
    const failure = await agents.RunState.fromString(agent, edited)
      .then((state) => triage.run(agent, state))
      .then(() => undefined, String);
    expect(triage.desk.effects).toEqual([]);
    expect(failure ?? model.told().call_1).toMatch(/has changed|needs a review/);
  });

  it("gets nowhere with the approval of one call for another", async () => {
    const triage = new Desk(agents);
    const other = { ...unsure, text: "Other." };
    const agent = triage.agent(
      recordingModel(agents, [commentCall("call_1", unsure), commentCall("call_2", other)]),
    );
    const asked = await triage.run(agent);
    const [first, second] = asked.interruptions;
    // The person has agreed to the first; the SDK is told that it was the second.
    await approveCall(triage.desk.mediated, { approve: () => asked.state.approve(second) }, first);
    asked.state.reject(first);
    await triage.run(agent, asked.state);
    expect(triage.desk.effects).toEqual([]);
  });

  it("gets nowhere with a tool that is made to need no approval, or a guardrail that allows", async () => {
    const triage = new Desk(agents);
    const allow = agents.defineToolInputGuardrail({
      name: "allow",
      run: async () => ({ behavior: { type: "allow" } }),
    });
    const tool = triage.tool({ needsApproval: false, inputGuardrails: [allow] });
    const model = recordingModel(agents, [commentCall("call_1", unsure), commentCall("call_2", misaligned)]);
    await triage.run(triage.agent(model, [tool]));
    expect(triage.desk.effects).toEqual([]);
    expect(model.told()).toEqual({ call_1: NEEDS_REVIEW, call_2: MISMATCH });
  });

  it("loosens no other control: a guardrail that rejects, a tool that always asks", async () => {
    const triage = new Desk(agents);
    const reject = agents.defineToolInputGuardrail({
      name: "reject",
      run: async () => ({ behavior: { type: "rejectContent", message: "No." } }),
    });
    const model = recordingModel(agents, [commentCall("call_1", aligned)]);
    await triage.run(triage.agent(model, [triage.tool({ inputGuardrails: [reject] })]));
    expect(model.told()).toEqual({ call_1: "No." });
    const asking = triage.agent(recordingModel(agents, [commentCall("call_1", aligned)]), [
      triage.tool({ needsApproval: true }),
    ]);
    expect(askedIn(await triage.run(asking))).toEqual(["call_1"]);
    expect(triage.desk.effects).toEqual([]);
  });

  it("cannot have a call approved that names an argument twice", async () => {
    const triage = new Desk(agents);
    const twice = JSON.stringify(unsure).replace('"issue_id":', '"issue_id":"42","issue_id":');
    const agent = triage.agent(recordingModel(agents, [commentCall("call_1", twice)]));
    const asked = await triage.run(agent);
    expect(await triage.answer(asked, () => true)).toEqual([false]);
    expect((await triage.run(agent, asked.state)).interruptions).toHaveLength(1);
    expect(triage.desk.effects).toEqual([]);
  });
});

describe("approveCall()", () => {
  it("approves the calls of other tools in the SDK's state only", async () => {
    const { mediated } = triageDesk();
    const state = { approve: vi.fn() };
    for (const rawItem of [
      { type: "function_call", name: "toString", callId: "c1", arguments: "{}" },
      { type: "hosted_tool_call", name: "add_comment", id: "h1" },
      undefined,
    ]) {
      expect(await approveCall(mediated, state, { rawItem })).toBe(true);
      expect(state.approve).toHaveBeenLastCalledWith({ rawItem });
    }
  });

  it("approves nothing for a call without an id", async () => {
    const { mediated } = triageDesk();
    const state = { approve: vi.fn() };
    const rawItem = { type: "function_call", name: "add_comment", arguments: JSON.stringify(unsure) };
    expect(await approveCall(mediated, state, { rawItem })).toBe(false);
    expect(state.approve).not.toHaveBeenCalled();
  });
});
