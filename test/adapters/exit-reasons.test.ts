import { describe, expect, it } from "vitest";
import { exitReasonOfError as ofLangChain } from "../../src/adapters/langchain.ts";
import { exitReasonOfError as ofOpenAiAgents } from "../../src/adapters/openai-agents.ts";

const named = (name: string) => Object.assign(new Error("stopped"), { name });
const hostile = Object.defineProperty({}, "name", {
  get: () => {
    throw new Error("no");
  },
});

describe("how a run ended that threw", () => {
  it.each([
    ["MaxTurnsExceededError", "max_steps"],
    ["InputGuardrailTripwireTriggered", "policy_stop"],
    ["ToolOutputGuardrailTripwireTriggered", "policy_stop"],
    ["ModelBehaviorError", undefined],
  ])("is told of the OpenAI Agents SDK: %s", (name, reason) => {
    expect(ofOpenAiAgents(named(name))).toBe(reason);
  });

  it.each([
    ["GraphRecursionError", "max_steps"],
    ["ModelCallLimitMiddlewareError", "max_steps"],
    ["ToolCallLimitExceededError", "max_steps"],
    ["GraphInterrupt", undefined],
  ])("is told of LangChain: %s", (name, reason) => {
    expect(ofLangChain(named(name))).toBe(reason);
  });

  it.each([
    ["undefined", undefined],
    ["a text", "MaxTurnsExceededError"],
    ["a name that throws", hostile],
    ["a name that is none", { name: 1 }],
  ])("is not told of %s", (_, error) => {
    expect([ofOpenAiAgents(error), ofLangChain(error)]).toEqual([undefined, undefined]);
  });
});
