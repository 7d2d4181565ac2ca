import { describe, expect, it } from "vitest";
import { callIdIn } from "../../src/contracts/tool/call-id.ts";

describe("the id of a call", () => {
  it.each([
    ["the AI SDK and Mastra", [{ toolCallId: "c" }]],
    ["OpenAI Agents", [{}, { toolCall: { callId: "c", id: "item" } }]],
    ["LangChain", [{ toolCall: { id: "c" } }]],
    ["the Claude Agent SDK", [{ signal: {}, _meta: { "claudecode/toolUseId": "c", progressToken: 2 } }]],
  ])("is found where %s hands it over", (_, rest) => {
    expect(callIdIn(rest)).toBe("c");
  });

  it.each([[[]], [[null, 1, "text"]], [[{ _meta: null }]], [[{ _meta: "x" }]], [[{ toolCallId: "" }]]])(
    "is not made up from %j",
    (rest) => {
      expect(callIdIn(rest)).toBeUndefined();
    },
  );
});
