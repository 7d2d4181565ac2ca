import { describe, expect, it } from "vitest";
import { exitReasonOf } from "../../../src/adapters/claude-agent-sdk.ts";

const refused = [{ tool_name: "Bash", tool_use_id: "t", tool_input: {} }];

describe("How a query ended", () => {
  it.each([
    ["an answer", { subtype: "success", is_error: false, terminal_reason: "completed" }, undefined],
    ["an answer of an older version", { subtype: "success" }, undefined],
    ["an answer after a refusal", { subtype: "success", permission_denials: refused }, undefined],
    ["a call that waits for its tool", { subtype: "success", terminal_reason: "tool_deferred" }, undefined],
    ["the cap on turns", { subtype: "error_max_turns", terminal_reason: "max_turns" }, "max_steps"],
    ["the cap on turns, of an older version", { subtype: "error_max_turns" }, "max_steps"],
    ["a hook that stopped it", { subtype: "success", terminal_reason: "hook_stopped" }, "policy_stop"],
    ["the budget", { subtype: "error_max_budget_usd" }, "policy_stop"],
    [
      "a refusal that interrupts",
      { subtype: "error_during_execution", terminal_reason: "aborted_tools", permission_denials: refused },
      "policy_stop",
    ],
    [
      "an interrupt",
      { subtype: "error_during_execution", terminal_reason: "aborted_tools", permission_denials: [] },
      "error",
    ],
    ["a failure", { subtype: "error_during_execution" }, "error"],
    ["a failure of the model", { subtype: "success", is_error: true, terminal_reason: "api_error" }, "error"],
    ["no result", undefined, "error"],
  ])("by %s", (_case, result, reason) => {
    expect(exitReasonOf(result)).toBe(reason);
  });
});
