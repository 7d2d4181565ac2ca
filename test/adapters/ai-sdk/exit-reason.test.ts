import { describe, expect, it } from "vitest";
import { exitReasonOf } from "../../../src/adapters/ai-sdk.ts";

const toolCall = { type: "tool-call", toolCallId: "1" };
const endedWith = (...parts: object[]) => ({
  finishReason: "tool-calls",
  steps: [{ content: [toolCall, ...parts] }],
});

describe("exitReasonOf", () => {
  it.each([
    ["its tool call has a result", { type: "tool-result", toolCallId: "1" }],
    ["its tool call failed", { type: "tool-error", toolCallId: "1" }],
    ["its tool call was refused", { type: "tool-output-denied", toolCallId: "1" }],
  ])(
    "is max_steps for a run that stopped although %s, so that nothing but the cap kept it from going on",
    (_what, part) => {
      expect(exitReasonOf(endedWith(part))).toBe("max_steps");
    },
  );

  it.each([
    ["a tool of the client", []],
    ["an approval", [{ type: "tool-approval-request", toolCallId: "1" }]],
    [
      "one of two calls",
      [
        { ...toolCall, toolCallId: "2" },
        { type: "tool-result", toolCallId: "2" },
      ],
    ],
  ])("is not max_steps for a run that waits for %s", (_what, parts) => {
    expect(exitReasonOf(endedWith(...parts))).toBeUndefined();
  });

  it("is not max_steps below the cap that was given, where another stop condition ended the run", () => {
    const result = endedWith({ type: "tool-result", toolCallId: "1" });
    expect(exitReasonOf(result, 2)).toBeUndefined();
    expect(exitReasonOf(result, 1)).toBe("max_steps");
  });

  it.each(["stop", "length", "content-filter", "other", "unknown"])(
    "is left to withRun for %s",
    (finishReason) => {
      expect(
        exitReasonOf({ ...endedWith({ type: "tool-result", toolCallId: "1" }), finishReason }),
      ).toBeUndefined();
    },
  );

  it.each(["unknown", "other"])(
    "is error for a stream that broke off after a step that wanted another: %s",
    (finishReason) => {
      const [step] = endedWith({ type: "tool-result", toolCallId: "1" }).steps;
      const steps = [{ content: step?.content ?? [], finishReason: "tool-calls" }];
      expect(exitReasonOf({ finishReason, steps })).toBe("error");
      expect(
        exitReasonOf({ finishReason, steps: [...steps, { content: [], finishReason }] }),
      ).toBeUndefined();
    },
  );

  it("is error when the model reported an error", () => {
    expect(exitReasonOf({ finishReason: "error", steps: [] })).toBe("error");
  });
});
