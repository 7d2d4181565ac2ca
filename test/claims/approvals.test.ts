import { describe, expect, it } from "vitest";
import { approvalKey, memoryApprovals } from "../../src/claims/approvals.ts";
import { digestOfText } from "../../src/claims/digest.ts";

const call = { tool: "send_mail", callId: "call_1", arguments: { to: "a" }, session: undefined };

describe("the key of an approval", () => {
  it("is the same for the same call, whatever the order of its arguments", () => {
    const one = approvalKey({ ...call, arguments: { a: 1, b: 2 } });
    expect(one).toBe(approvalKey({ ...call, arguments: { b: 2, a: 1 } }));
    expect(one).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it.each([
    ["tool", { tool: "draft_mail" }],
    ["call", { callId: "call_2" }],
    ["argument", { arguments: { to: "b" } }],
    ["session", { session: "ann" }],
  ])("is another for another %s", (_, other) => {
    expect(approvalKey({ ...call, ...other })).not.toBe(approvalKey(call));
  });

  it("counts members that fingerprints leave out: an approval is for exactly these arguments", () => {
    const withId = (request_id: string) => approvalKey({ ...call, arguments: { to: "a", request_id } });
    expect(withId("1")).not.toBe(withId("2"));
  });

  it.each([
    ["without an id", { callId: undefined }],
    ["with an empty id", { callId: "" }],
    ["without arguments that can be read", { arguments: undefined }],
    ["with arguments that are no JSON", { arguments: { when: 1n } }],
  ])("is none for a call %s", (_, other) => {
    expect(approvalKey({ ...call, ...other })).toBeUndefined();
  });
});

describe("approvals in memory", () => {
  const key = (index: number) => digestOfText(String(index));

  it("are there until they are taken, once", () => {
    const approvals = memoryApprovals();
    approvals.put(key(1));
    expect(approvals.has(key(1))).toBe(true);
    expect(approvals.take(key(1))).toBe(true);
    expect([approvals.has(key(1)), approvals.take(key(1))]).toEqual([false, false]);
  });

  it("are bounded: the oldest are forgotten, and one that is given again counts as new", () => {
    const approvals = memoryApprovals(2);
    for (const index of [1, 2, 1, 3]) approvals.put(key(index));
    expect([1, 2, 3].map((index) => approvals.has(key(index)))).toEqual([true, false, true]);
  });
});
