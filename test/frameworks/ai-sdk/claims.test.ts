import { describe, expect, it } from "vitest";
import { canonicalFp } from "../../../src/index.ts";
import { useContextManager } from "../../support/tracing.ts";
import { aligned, comment, misaligned, triageDesk, unsure } from "../triage-desk.ts";
import { inputSchema } from "./agent.ts";
import { Chat, claiming, commentCall, MISMATCH, NEEDS_REVIEW, refusedBy } from "./mediated-chat.ts";
import { labelsOf } from "./request.ts";
import { call } from "./scripted-model.ts";

useContextManager();

describe.each(claiming)("a claim with $title", (mode) => {
  const refused = refusedBy(mode);
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
