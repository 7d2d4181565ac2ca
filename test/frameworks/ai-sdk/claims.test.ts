import { describe, expect, it } from "vitest";
import { canonicalFp } from "../../../src/index.ts";
import { useContextManager } from "../../support/tracing.ts";
import { aligned, comment, misaligned, triageDesk, unsure } from "../triage-desk.ts";
import { inputSchema, modes } from "./agent.ts";
import { Chat, forgedMessages, mediatedTools } from "./mediated-chat.ts";
import { labelsOf } from "./request.ts";
import { call } from "./scripted-model.ts";
import { sdk6, sdk7 } from "./sdk-versions.ts";

useContextManager();

const NEEDS_REVIEW = "the call needs a review.";
const MISMATCH = "the claim does not match the arguments.";
const commentCall = (id: string, input: object) => call(id, "add_comment", input);

const claiming = modes.filter(({ version }) => version === sdk6 || version === sdk7);

describe.each(claiming)("a claim with $title", (mode) => {
  // AI SDK 7 shows the model an error's name too.
  const refused = (why: string) => `${mode.version.major === 7 ? "MediationError: " : ""}Not run: ${why}`;

  it("that is allowed runs its tool at once, without the claim", async () => {
    const chat = new Chat(mode);
    await chat.request([commentCall("call_1", aligned)]);
    expect(chat.desk.effects).toEqual([comment]);
    expect(chat.told).toEqual({ call_1: "commented" });
    expect(chat.desk.decisions()).toEqual([
      ["before", "allow", false],
      ["call", "allow", false],
    ]);
    expect(chat.application.labelsByCall()).toMatchObject({
      call_1: { input_fp: canonicalFp(comment), output_fp: canonicalFp("commented"), side_effect: "write" },
    });
    expect(chat.application.labelsByCall().call_1).not.toHaveProperty("error_class");
    chat.application.expectVerified();
  });

  it("that is denied runs nothing, asks nobody, and the model may call again", async () => {
    const chat = new Chat(mode);
    await chat.request(
      [commentCall("call_1", misaligned)],
      [commentCall("call_2", comment)],
      [commentCall("call_3", aligned)],
    );
    expect(chat.desk.effects).toEqual([comment]);
    expect(chat.told).toEqual({
      call_1: refused(MISMATCH),
      call_2: refused("the claim is missing or malformed; call again with a complete claim."),
      call_3: "commented",
    });
    expect(chat.desk.decisions().filter(([moment]) => moment === "call")).toEqual([
      ["call", "deny", false],
      ["call", "deny", false],
      ["call", "allow", false],
    ]);
    const { call_1, call_2, call_3 } = chat.application.labelsByCall();
    expect([call_1, call_2, call_3].map((labels) => labels?.error_class)).toEqual([
      "auth",
      "schema",
      undefined,
    ]);
    chat.application.expectVerified();
  });

  it("that needs a review runs once a person has agreed, and only once", async () => {
    const chat = new Chat(mode);
    await chat.request([commentCall("call_1", unsure)]);
    expect([chat.asked(), chat.desk.effects]).toEqual([["call_1"], []]);
    chat.answer(true);
    const replay = structuredClone(chat.messages);
    await chat.request();
    expect(chat.desk.effects).toEqual([comment]);
    expect(chat.told).toEqual({ call_1: "commented" });
    expect(chat.desk.decisions()).toEqual([
      ["before", "review", false],
      ["call", "allow", true],
    ]);
    expect(chat.application.labelsByCall()).toMatchObject({ call_1: { input_fp: canonicalFp(comment) } });
    chat.application.expectVerified();

    const replayed = new Chat(mode, chat.desk);
    replayed.messages.splice(0, 1, ...replay);
    await replayed.request();
    expect(chat.desk.effects).toEqual([comment]);
    expect(replayed.told).toEqual({ call_1: refused(NEEDS_REVIEW) });
  });

  it("that a person refuses runs nothing, and leaves no approval behind", async () => {
    const chat = new Chat(mode);
    await chat.request([commentCall("call_1", unsure)]);
    await chat.answer(false).request();
    expect(chat.desk.effects).toEqual([]);
    expect(chat.told).toEqual({ call_1: expect.stringMatching(/denied|not approved/) });
    expect(chat.desk.decisions()).toEqual([["before", "review", false]]);
    expect(chat.application.labelsByCall()).toEqual({});
    const again = { tool: "add_comment", callId: "call_1", arguments: unsure };
    expect(await chat.desk.mediated.step.enforce(again)).toMatchObject({ outcome: "review" });
  });

  it("that was approved is denied when the facts have changed meanwhile", async () => {
    const chat = new Chat(mode);
    await chat.request([commentCall("call_1", unsure)]);
    chat.desk.closeRoute();
    await chat.answer(true).request();
    expect(chat.desk.effects).toEqual([]);
    expect(chat.told).toEqual({ call_1: refused("the claim does not match the route.") });
    expect(chat.desk.decisions().at(-1)).toEqual(["call", "deny", false]);
    expect(chat.application.labelsByCall()).toMatchObject({ call_1: { error_class: "auth" } });
    chat.application.expectVerified();
  });

  it.each([
    ["the audit trail", { onDecision: () => Promise.reject(new Error("full")) }],
    [
      "the existing authorization",
      {
        baseline: () => {
          throw new Error("down");
        },
      },
    ],
  ])("is denied when %s fails", async (_, options) => {
    const chat = new Chat(mode, triageDesk(options));
    await chat.request([commentCall("call_1", aligned)]);
    expect(chat.desk.effects).toEqual([]);
    expect(chat.told).toEqual({ call_1: refused("the call was denied.") });
    expect(chat.application.labelsByCall()).toMatchObject({ call_1: { error_class: "auth" } });
  });

  it("waits for a person when the facts cannot be had", async () => {
    const chat = new Chat(mode, triageDesk({ resolveFacts: () => Promise.reject(new Error("down")) }));
    await chat.request([commentCall("call_1", aligned)]);
    expect([chat.asked(), chat.desk.effects]).toEqual([["call_1"], []]);
  });

  it("does not run, and asks nobody in vain, when the question cannot be kept", async () => {
    const kept = new Set<string>();
    const approvals = {
      put: (key: string) => {
        kept.add(key);
        throw new Error("no answer");
      },
      has: (key: string) => kept.has(key),
      take: (key: string) => kept.delete(key),
    };
    const chat = new Chat(mode, triageDesk({ approvals }));
    await chat.request([commentCall("call_1", unsure)]);
    expect([chat.asked(), chat.desk.effects]).toEqual([[], []]);
    expect(chat.told).toEqual({ call_1: refused(NEEDS_REVIEW) });
  });

  it("is refused with a reason when the consent cannot be kept", async () => {
    let down = false;
    const kept = new Set<string>();
    const approvals = {
      put: (key: string) => (down ? Promise.reject(new Error("down")) : void kept.add(key)),
      has: (key: string) => kept.has(key),
      take: (key: string) => kept.delete(key),
    };
    const chat = new Chat(mode, triageDesk({ approvals }));
    await chat.request([commentCall("call_1", unsure)]);
    down = true;
    await chat.answer(true).request();
    expect(chat.desk.effects).toEqual([]);
    expect(chat.told).toEqual({ call_1: refused(NEEDS_REVIEW) });
  });

  it("is decided on by itself, also of two calls of one tool in one turn", async () => {
    const chat = new Chat(mode);
    await chat.request([
      commentCall("call_1", aligned),
      commentCall("call_2", misaligned),
      commentCall("call_3", unsure),
      commentCall("call_4", { ...unsure, text: "Other." }),
    ]);
    expect([chat.asked(), chat.desk.effects]).toEqual([["call_3", "call_4"], [comment]]);
    await chat.answer((callId) => callId === "call_4").request();
    expect(chat.desk.effects).toEqual([comment, { ...comment, text: "Other." }]);
    const { call_1, call_2, call_3, call_4 } = chat.application.labelsByCall();
    expect([call_1, call_2, call_3, call_4].map((labels) => labels?.error_class)).toEqual([
      undefined,
      "auth",
      undefined,
      undefined,
    ]);
    expect(call_3).toBeUndefined();
  });

  it("is decided on in a delegated agent too, in the run that delegated", async () => {
    const inner = [
      commentCall("inner_1", misaligned),
      commentCall("inner_2", aligned),
      commentCall("inner_3", unsure),
    ];
    const ask = { inputSchema, execute: (): Promise<string> => chat.delegate(inner) };
    const chat = new Chat(mode, triageDesk(), { tools: { ask } });
    await chat.request([call("outer_1", "ask")]);
    expect(chat.desk.effects).toEqual([comment]);
    const labels = chat.application.labelsByCall();
    const root = chat.application.spans().find(({ name }) => name === "invoke_agent helper");
    expect(labels).toMatchObject({
      inner_1: { error_class: "auth", run_id: root && labelsOf(root).run_id },
      inner_2: { output_fp: canonicalFp("commented"), run_id: root && labelsOf(root).run_id },
    });
    expect(labels).not.toHaveProperty("inner_3");
    expect(new Set(chat.desk.entries.map(({ runId }) => runId))).toEqual(
      new Set([root && labelsOf(root).run_id]),
    );
  });
});

describe.each(claiming)("somebody who is up to no good, with $title", (mode) => {
  const secret = { experimental_toolApprovalSecret: "a secret of the server's" };
  const refused = (why: string) => `${mode.version.major === 7 ? "MediationError: " : ""}Not run: ${why}`;

  // A stream has the SDK's error inside.
  const failed = { message: expect.stringMatching(mode.streaming ? /No output/ : /signature/) };

  it("gets nowhere with a consent that is made up: nobody was asked", async () => {
    const chat = new Chat(mode);
    chat.messages.splice(0, 1, ...forgedMessages(unsure));
    await chat.request();
    expect(chat.desk.effects).toEqual([]);
    expect(chat.told).toEqual({ call_1: refused(NEEDS_REVIEW) });
    expect(chat.desk.decisions()).toEqual([["call", "review", false]]);
    expect(chat.application.labelsByCall()).toMatchObject({ call_1: { error_class: "auth" } });
  });

  it("gets no further than the SDK's signature where there is a secret", async () => {
    const chat = new Chat(mode, triageDesk(), secret);
    await chat.request([commentCall("call_1", unsure)]);
    const honest = structuredClone(chat.messages);
    await expect(chat.answer(true).edit(aligned).request()).rejects.toMatchObject(failed);
    expect(chat.desk.effects).toEqual([]);
    chat.messages.splice(0, chat.messages.length, ...forgedMessages(aligned));
    await expect(chat.request()).rejects.toMatchObject(failed);
    expect(chat.desk.effects).toEqual([]);
    chat.messages.splice(0, chat.messages.length, ...honest);
    await chat.answer(true).request();
    expect(chat.desk.effects).toEqual([comment]);
  });

  it("gets nowhere with arguments that were edited after the consent", async () => {
    const chat = new Chat(mode);
    await chat.request([commentCall("call_1", unsure)]);
    await chat
      .answer(true)
      .edit({ ...unsure, text: "Something else." })
      .request();
    expect(chat.desk.effects).toEqual([]);
    expect(chat.told).toEqual({ call_1: refused(NEEDS_REVIEW) });
  });

  it("gets nowhere with the consent to one call for another that was denied", async () => {
    const chat = new Chat(mode);
    await chat.request([commentCall("call_1", unsure), commentCall("call_2", misaligned)]);
    chat.answer((callId) => callId === "call_1").requests()[0].toolCallId = "call_2";
    // The SDK then misses a result for the first call.
    await expect(chat.request()).rejects.toThrow();
    expect(chat.desk.effects).toEqual([]);
    expect(chat.desk.decisions().at(-1)).toEqual(["call", "deny", false]);
  });

  it("gets nowhere with the consent to one call for another that was refused, where there is a secret", async () => {
    const chat = new Chat(mode, triageDesk(), secret);
    await chat.request([commentCall("call_1", unsure), commentCall("call_2", { ...unsure, text: "Other." })]);
    chat.answer((callId) => callId === "call_1").requests()[0].toolCallId = "call_2";
    await expect(chat.request()).rejects.toMatchObject(failed);
    expect(chat.desk.effects).toEqual([]);
  });

  it("gets nowhere with settings that approve everything", async () => {
    const desk = triageDesk();
    const tools = mediatedTools(mode.version, desk);
    const settings =
      mode.version.major === 7
        ? { toolApproval: { add_comment: "approved" } }
        : { tools: { add_comment: { ...tools.add_comment, needsApproval: false } } };
    const chat = new Chat(mode, desk, settings);
    await chat.request([commentCall("call_1", unsure), commentCall("call_2", misaligned)]);
    expect(desk.effects).toEqual([]);
    expect(chat.told).toEqual({ call_1: refused(NEEDS_REVIEW), call_2: refused(MISMATCH) });
  });

  it("gets one effect out of a consent that comes many times at once", async () => {
    const desk = triageDesk();
    const chat = new Chat(mode, desk);
    await chat.request([commentCall("call_1", unsure)]);
    chat.answer(true);
    const replays = Array.from({ length: 5 }, () => {
      const replay = new Chat(mode, desk);
      replay.messages.splice(0, 1, ...structuredClone(chat.messages));
      return replay.request();
    });
    await Promise.all(replays);
    expect(desk.effects).toEqual([comment]);
  });
});
