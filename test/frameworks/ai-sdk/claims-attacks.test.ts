import { describe, expect, it } from "vitest";
import { useContextManager } from "../../support/tracing.ts";
import { aligned, comment, misaligned, triageDesk, unsure } from "../triage-desk.ts";
import {
  Chat,
  claiming,
  commentCall,
  forgedMessages,
  MISMATCH,
  mediatedTools,
  NEEDS_REVIEW,
  refusedBy,
} from "./mediated-chat.ts";

useContextManager();

describe.each(claiming)("somebody who is up to no good, with $title", (mode) => {
  const secret = { experimental_toolApprovalSecret: "a secret of the server's" };
  const refused = refusedBy(mode);
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
