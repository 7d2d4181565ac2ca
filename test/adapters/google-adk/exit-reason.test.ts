import { describe, expect, it } from "vitest";
import { exitReasonOf } from "../../../src/adapters/google-adk.ts";

describe("how a run of ADK ended", () => {
  it.each([
    ["without events", [], "error"],
    ["in the middle of a text", [{ partial: true }], "error"],
    ["with a call", [{ content: { parts: [{ text: "a" }, { functionCall: {} }] } }], "error"],
    ["with a result", [{ content: { parts: [{ functionResponse: {} }] } }], "error"],
    [
      "with a call that is answered later",
      [{ content: { parts: [{ functionCall: {} }] }, longRunningToolIds: ["1"] }],
      undefined,
    ],
    ...(["requestedAuthConfigs", "requestedToolConfirmations"] as const).map(
      (question) =>
        [
          `with a question: ${question}`,
          [{ content: { parts: [{ functionResponse: {} }] }, actions: { [question]: { id: {} } } }],
          undefined,
        ] as const,
    ),
    ...(["skipSummarization", "escalate"] as const).map(
      (last) =>
        [
          `with a result that is the last word: ${last}`,
          [{ content: { parts: [{ functionResponse: {} }] }, actions: { [last]: true } }],
          undefined,
        ] as const,
    ),
    ["with an answer", [{}], undefined],
    ["with an error", [{}, { errorCode: "UNKNOWN_ERROR", errorMessage: "no" }], "error"],
    ["with an error that the run got over", [{ errorCode: "429" }, {}], undefined],
    [
      "with the cap on calls of the model",
      [{ errorCode: "UNKNOWN_ERROR", errorMessage: "Max number of llm calls limit of 3 exceeded" }],
      "max_steps",
    ],
    [
      "with an error that only speaks of the cap",
      [{ errorCode: "500", errorMessage: "upstream: Max number of llm calls limit of 3 exceeded" }],
      "error",
    ],
    ["with an error without a message", [{ errorCode: "SAFETY" }], "error"],
  ] as const)("%s", (_how, events, reason) => {
    expect(exitReasonOf(events)).toBe(reason);
  });
});
