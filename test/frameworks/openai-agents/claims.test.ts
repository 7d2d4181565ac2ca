import { beforeEach, describe, expect, it } from "vitest";
import { mediatedTool } from "../../../src/adapters/openai-agents.ts";
import { canonicalFp } from "../../../src/index.ts";
import { escalateClaim } from "../triage-claims.ts";
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
import { calls } from "./scripted-model.ts";
import { exported, labelsOf, traceAgents } from "./traced.ts";

describe.each(versions)("a claim with OpenAI Agents %s", (version, agents) => {
  beforeEach(() => traceAgents(agents, openInference));

  it.each([false, true])(
    "that is allowed runs its tool at once, without the claim (stream: %s)",
    async (stream) => {
      const triage = new Desk(agents);
      const model = recordingModel(agents, [commentCall("call_1", aligned)]);
      await triage.run(triage.agent(model), "go", { stream });
      expect(triage.desk.effects).toEqual([comment]);
      expect(model.told()).toEqual({ call_1: "commented" });
      expect(triage.desk.decisions()).toEqual([
        ["before", "allow", false],
        ["call", "allow", false],
      ]);
      const [span] = (await exported()).tools("add_comment");
      expect(span && labelsOf(span)).toMatchObject({
        "trustabl.tool.input_fp": canonicalFp(comment),
        "trustabl.tool.output_fp": canonicalFp("commented"),
        "trustabl.tool.side_effect": "write",
      });
      expect(await errorClasses()).toEqual([undefined]);
    },
  );

  it("that is denied runs nothing, asks nobody, and the model may call again", async () => {
    const triage = new Desk(agents);
    const model = recordingModel(
      agents,
      [commentCall("call_1", misaligned)],
      [commentCall("call_2", comment)],
      [commentCall("call_3", aligned)],
    );
    const result = await triage.run(triage.agent(model));
    expect([askedIn(result), triage.desk.effects]).toEqual([[], [comment]]);
    expect(model.told()).toEqual({
      call_1: MISMATCH,
      call_2: "Not run: the claim is missing or malformed; call again with a complete claim.",
      call_3: "commented",
    });
    expect(triage.desk.decisions().filter(([moment]) => moment === "call")).toEqual([
      ["call", "deny", false],
      ["call", "deny", false],
      ["call", "allow", false],
    ]);
    expect(await errorClasses()).toEqual(["auth", "schema", undefined]);
  });

  it("that needs a review runs once a person has agreed, and only once", async () => {
    const triage = new Desk(agents);
    const model = recordingModel(agents, [commentCall("call_1", unsure)]);
    const agent = triage.agent(model);
    let stored = "";
    await triage.conversation(agent, async (asked) => {
      expect([askedIn(asked), triage.desk.effects]).toEqual([["call_1"], []]);
      expect(await triage.answer(asked, () => true)).toEqual([true]);
      stored = asked.state.toString();
    });
    expect(triage.desk.effects).toEqual([comment]);
    expect(model.told()).toEqual({ call_1: "commented" });
    expect(triage.desk.decisions().at(-1)).toEqual(["call", "allow", true]);
    const [span] = (await exported()).tools("add_comment");
    expect(span && labelsOf(span)).toMatchObject({ "trustabl.tool.input_fp": canonicalFp(comment) });

    // The stored state says that the call is approved, and is played again.
    const again = recordingModel(agents);
    const replaying = triage.agent(again);
    await triage.run(replaying, await agents.RunState.fromString(replaying, stored));
    expect(triage.desk.effects).toEqual([comment]);
    expect(again.told()).toEqual({ call_1: NEEDS_REVIEW });
  });

  it("that needs a review runs in another process, where the person's answer arrives", async () => {
    const [first, second] = [new Desk(agents), new Desk(agents)];
    const asked = await first.run(first.agent(recordingModel(agents, [commentCall("call_1", unsure)])));
    const agent = second.agent(recordingModel(agents));
    const state = await agents.RunState.fromString(agent, asked.state.toString());
    await second.answer({ state, interruptions: state.getInterruptions() }, () => true);
    await second.run(agent, state);
    expect([first.desk.effects, second.desk.effects]).toEqual([[], [comment]]);
  });

  it("that a person refuses runs nothing, and leaves no approval behind", async () => {
    const triage = new Desk(agents);
    const model = recordingModel(agents, [commentCall("call_1", unsure)]);
    const agent = triage.agent(model);
    const asked = await triage.run(agent);
    await triage.answer(asked, () => false);
    await triage.run(agent, asked.state);
    expect(triage.desk.effects).toEqual([]);
    expect(model.told()).toEqual({ call_1: "Tool execution was not approved." });
    expect(triage.desk.decisions().map(([moment]) => moment)).not.toContain("call");
    const call = { tool: "add_comment", callId: "call_1", arguments: unsure };
    expect(await triage.desk.mediated.step.enforce(call)).toMatchObject({ outcome: "review" });
  });

  it("that was approved is denied when the facts have changed meanwhile", async () => {
    const triage = new Desk(agents);
    const model = recordingModel(agents, [commentCall("call_1", unsure)]);
    const agent = triage.agent(model);
    await triage.conversation(agent, async (asked) => {
      await triage.answer(asked, () => true);
      triage.desk.closeRoute();
    });
    expect(triage.desk.effects).toEqual([]);
    expect(model.told()).toEqual({ call_1: "Not run: the claim does not match the route." });
    expect(triage.desk.decisions().at(-1)).toEqual(["call", "deny", false]);
    expect(await errorClasses()).toEqual(["auth"]);
  });

  const failing = () => {
    throw new Error("down");
  };
  it.each([
    ["the audit trail", { onDecision: failing }],
    ["the existing authorization", { baseline: failing }],
    ["the session", { session: failing }],
  ])("is denied when %s fails", async (_, options) => {
    const triage = new Desk(agents, triageDesk(options));
    const model = recordingModel(agents, [commentCall("call_1", aligned)]);
    const result = await triage.run(triage.agent(model));
    expect([askedIn(result), triage.desk.effects]).toEqual([[], []]);
    expect(model.told()).toEqual({ call_1: "Not run: the call was denied." });
    expect(await errorClasses()).toEqual(["auth"]);
  });

  it("waits for a person when the facts cannot be had", async () => {
    const triage = new Desk(agents, triageDesk({ resolveFacts: () => Promise.reject(new Error("down")) }));
    const result = await triage.run(triage.agent(recordingModel(agents, [commentCall("call_1", aligned)])));
    expect([askedIn(result), triage.desk.effects]).toEqual([["call_1"], []]);
  });

  it("does not run when the consent cannot be kept, which the person's answer tells", async () => {
    const approvals = { put: failing, has: () => false, take: () => false };
    const triage = new Desk(agents, triageDesk({ approvals }));
    const asked = await triage.run(triage.agent(recordingModel(agents, [commentCall("call_1", unsure)])));
    await expect(triage.answer(asked, () => true)).rejects.toThrow("down");
    expect(triage.desk.effects).toEqual([]);
  });

  it("is decided on by itself, also of many calls of one tool in one turn", async () => {
    const triage = new Desk(agents);
    const other = { ...unsure, text: "Other." };
    const model = recordingModel(agents, [
      commentCall("call_1", aligned),
      commentCall("call_2", misaligned),
      commentCall("call_3", unsure),
      commentCall("call_4", other),
    ]);
    const agent = triage.agent(model);
    const asked = await triage.run(agent);
    expect([askedIn(asked), triage.desk.effects]).toEqual([["call_3", "call_4"], [comment]]);
    await triage.answer(asked, (callId) => callId === "call_4");
    await triage.run(agent, asked.state);
    expect(triage.desk.effects).toEqual([comment, { ...comment, text: "Other." }]);
    expect(model.told()).toEqual({
      call_1: "commented",
      call_2: MISMATCH,
      call_3: "Tool execution was not approved.",
      call_4: "commented",
    });
  });

  it.each(["agent as a tool", "handoff"])("is decided on in a delegated agent too: %s", async (way) => {
    const triage = new Desk(agents);
    const calls = [commentCall("inner_1", misaligned), commentCall("inner_2", aligned)];
    await triage.run(triage.delegating(way, calls));
    expect(triage.desk.effects).toEqual([comment]);
    expect(await errorClasses()).toEqual(["auth", undefined]);
    expect(new Set(triage.desk.entries.map(({ runId }) => runId)).size).toBe(1);
  });

  it.each(["agent as a tool", "handoff"])("waits for a person in a delegated agent too: %s", async (way) => {
    const triage = new Desk(agents);
    const outer = triage.delegating(way, [commentCall("inner_1", unsure)]);
    await triage.conversation(outer, async (asked) => {
      expect([askedIn(asked), triage.desk.effects]).toEqual([["inner_1"], []]);
      await triage.answer(asked, () => true);
    });
    // SDK 0.3.8 does not go on with an agent that is a tool, whatever was approved.
    const isLost = version === "0.3.8" && way !== "handoff";
    expect(triage.desk.effects).toEqual(isLost ? [] : [comment]);
    // An agent that is a tool is marked again when it goes on. One that was handed over to is then the first of the run.
    const { spans } = await exported();
    const inner = spans.filter(({ name }) => name === "inner" && way !== "handoff");
    for (const span of inner) expect(labelsOf(span)).toHaveProperty(["trustabl.handoff_id"]);
  });

  it.each([
    [undefined, []],
    [() => true, [{ team: "platform", reason: "All red." }]],
  ])(
    "is no confirmation of a contract that wants one, unless the application says so",
    async (confirmed, effects) => {
      const triage = new Desk(agents);
      const { mediated, work } = triage.desk;
      const tool = agents.tool(mediatedTool(mediated, "escalate_incident", work, { confirmed }));
      const args = { team: "platform", reason: "All red.", claim: escalateClaim("platform") };
      const model = recordingModel(agents, [calls("escalate_incident", args, "call_1")]);
      await triage.conversation(triage.agent(model, [tool]), (asked) => triage.answer(asked, () => true));
      expect(triage.desk.decisions().at(-1)).toEqual(["call", "allow", true]);
      expect(triage.desk.effects).toEqual(effects);
      expect(model.told().call_1).toMatch(effects.length > 0 ? /^commented$/ : /^Refused.* confirmation: /);
    },
  );
});
