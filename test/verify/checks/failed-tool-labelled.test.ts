import { describe, expect, it } from "vitest";
import type { SpanView } from "../../../src/verify/index.ts";
import { call, judged, root, span, UNLABELLED } from "../support/build.ts";

const check = "failed-tool-labelled";
const unlabelled = (parts: object, attributes: Record<string, unknown> = {}): SpanView =>
  call("a", { ...parts, attributes: { ...UNLABELLED, ...attributes } });

describe(check, () => {
  it("passes when a call that failed is labelled", () => {
    expect(judged(check, [root(), call("a", { status: "error" })])).toBe("pass");
  });

  it("is not applicable when no call failed", () => {
    expect(judged(check, [root(), call("a")])).toBe("not-applicable");
  });

  it.each([
    ["an error status", unlabelled({ status: "error" })],
    ["an exception event", unlabelled({ status: "ok", events: [{ name: "exception", attributes: {} }] })],
    ["error.type", unlabelled({}, { "error.type": "tool_error" })],
    ["a failure that MCP returns", unlabelled({}, { "gen_ai.tool.call.result": '{"isError":true}' })],
    ["an error message of LangChain", unlabelled({}, { "gen_ai.tool.call.result": '{"status": "error"}' })],
    ["Strands' own status", unlabelled({}, { "gen_ai.tool.status": "error" })],
    ["ADK's bare span", span("a", { name: "execute_tool boom", scope: "gcp.vertex.agent" })],
  ])("fails on an unlabelled call that shows %s", (_sign, failed) => {
    expect(judged(check, [root(), failed])).toBe("fail: unlabelled");
  });

  it("sees the failure that Claude Code puts on the execution below the tool span", () => {
    const attributes = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "boom" };
    const spans = [
      span("a", { name: "claude_code.tool", attributes }),
      span("x", { name: "claude_code.tool.execution", parent: "a", status: "error" }),
    ];
    expect(judged(check, spans)).toBe("fail: unlabelled");
  });

  it("leaves calls alone that were refused before the tool ran", () => {
    const rejected = span("a", {
      status: "error",
      attributes: { "openinference.span.kind": "TOOL", "tool.name": "search" },
    });
    expect(judged(check, [rejected])).toBe("not-applicable");
  });

  it("is unknown when the SDK dropped attributes of the span", () => {
    expect(judged(check, [unlabelled({ status: "error", droppedAttributes: 1 })])).toBe(
      "unknown: attributes-dropped",
    );
  });
});
