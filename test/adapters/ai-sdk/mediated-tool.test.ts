import { describe, expect, it, vi } from "vitest";
import { mediatedTool } from "../../../src/adapters/ai-sdk.ts";
import { mediate } from "../../../src/claims/index.ts";
import { defineTools } from "../../../src/contracts/index.ts";

const contracts = defineTools({
  close_ticket: {
    description: "Close one ticket.",
    input: {
      type: "object",
      additionalProperties: false,
      required: ["id"],
      properties: { id: { type: "string", maxLength: 12 } },
    },
    risk: "high",
    claim: "none",
    effect: { operation: "update", resourceType: "ticket", resourceIds: "/id" },
  },
});

function setUp() {
  const close = vi.fn(async ({ id }: { id: string }) => `closed ${id}`);
  const mediated = mediate(contracts, {
    vocabulary: { intentClasses: ["update"] },
    resolveFacts: () => ({}),
  });
  return { close, mediated, options: mediatedTool(mediated, "close_ticket", close) };
}

const input = { id: "7" };
const consent = (approved: unknown, approvalId: unknown = "a1") => [
  {
    role: "assistant",
    content: [
      { type: "tool-call", toolCallId: "call_1", toolName: "close_ticket", input },
      { type: "tool-approval-request", approvalId: "a1", toolCallId: "call_1" },
    ],
  },
  { role: "tool", content: [{ type: "tool-approval-response", approvalId, approved }] },
];

describe("the options of a mediated tool of the AI SDK", () => {
  it("let a call run that somebody was asked about and has agreed to", async () => {
    const { options, close } = setUp();
    expect(await options.needsApproval(input, { toolCallId: "call_1", messages: [] })).toBe(true);
    expect(await options.needsApproval(input, { toolCallId: "call_1", messages: consent(true) })).toBe(true);
    expect(await options.execute(input, { toolCallId: "call_1" })).toBe("closed 7");
    expect(close).toHaveBeenCalledTimes(1);
  });

  it.each<[string, unknown]>([
    ["that is none", consent(false)],
    ["that is nearly one", consent("true")],
    ["to something else", consent(true, "a2")],
    ["that came earlier", [...consent(true), { role: "user", content: "go on" }]],
    ["in the question's place", consent(true).slice(1)],
    ["among nonsense", [undefined, null, 7, { role: "tool", content: [null, 7, "x"] }]],
    ["in no list", { length: 1 }],
    ["in messages that there are none of", undefined],
  ])("take for no consent one %s", async (_, messages) => {
    const { options, close } = setUp();
    await options.needsApproval(input, { toolCallId: "call_1", messages: [] });
    await options.needsApproval(input, { toolCallId: "call_1", messages: messages as never }).catch(() => {});
    await expect(options.execute(input, { toolCallId: "call_1" })).rejects.toThrow("needs a review");
    expect(close).not.toHaveBeenCalled();
  });

  it("ask nobody about a call without an id, which nobody can approve", async () => {
    const { options } = setUp();
    expect(await options.needsApproval(input, { toolCallId: "" })).toBe(false);
    await expect(options.execute(input, { toolCallId: "" })).rejects.toThrow("needs a review");
  });

  it("belong to a name of the registry", () => {
    expect(() => mediatedTool(setUp().mediated, "toString" as never, () => "")).toThrow(RangeError);
  });
});

describe("an approval that is withdrawn", () => {
  it("was there once", async () => {
    const { step } = setUp().mediated;
    const call = { tool: "close_ticket", callId: "call_1", arguments: input };
    await step.approve(call);
    expect(await Promise.all([step.withdraw(call), step.withdraw(call)])).toEqual([true, false]);
    expect(await step.isApproved(call)).toBe(false);
  });
});
