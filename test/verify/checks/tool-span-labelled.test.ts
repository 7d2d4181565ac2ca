import { describe, expect, it } from "vitest";
import { agent, call, findingsOf, judged, root, span, UNLABELLED } from "../support/build.ts";

const check = "tool-span-labelled";
const bare = { attributes: UNLABELLED };
const mcp = (id: string, parent: string, tool: string, start = 100) =>
  span(id, {
    parent,
    start,
    name: `tools/call ${tool}`,
    scope: "mcp",
    attributes: { "mcp.method.name": "tools/call", "gen_ai.tool.name": tool },
  });

describe(check, () => {
  it("passes when every tool span carries a fingerprint and an attempt", () => {
    expect(judged(check, [root(), call("a"), call("b", { step: 1 })])).toBe("pass");
  });

  it("is not applicable without a tool span", () => {
    expect(judged(check, [root()])).toBe("not-applicable");
  });

  it("fails on a tool span without labels, and names the span", () => {
    const [finding] = findingsOf(check, [root(), call("a"), call("b", bare)]);
    expect(finding).toMatchObject({
      outcome: "fail",
      reason: "no-labels",
      span: { name: "execute_tool search" },
      expected: "trustabl.tool.input_fp and trustabl.tool.attempt",
    });
  });

  it("fails on a fingerprint without an attempt: the tool was called outside a run", () => {
    expect(judged(check, [call("a", { attributes: { "trustabl.tool.attempt": undefined } })])).toBe(
      "fail: no-attempt",
    );
  });

  describe("an attempt without a fingerprint", () => {
    const noFingerprint = { "trustabl.tool.input_fp": undefined };

    it("fails when the captured arguments have a fingerprint", () => {
      expect(judged(check, [call("a", { attributes: noFingerprint })])).toBe("fail: no-fingerprint");
    });

    it("passes when the captured arguments have none, and says so", () => {
      const attributes = { ...noFingerprint, "gen_ai.tool.call.arguments": '{"id":2512292042121000001}' };
      expect(judged(check, [root(), call("a", { attributes })])).toBe("pass");
    });

    it("is unknown when nothing was captured", () => {
      const attributes = { ...noFingerprint, "gen_ai.tool.call.arguments": undefined };
      expect(judged(check, [call("a", { attributes })])).toBe("unknown: no-fingerprint");
    });
  });

  it("is unknown when the SDK dropped attributes of the span", () => {
    expect(judged(check, [call("a", { ...bare, droppedAttributes: 3 })])).toBe("unknown: attributes-dropped");
  });

  describe("spans for which no tool function ran", () => {
    const openinference = (id: string, parts: object) =>
      span(id, {
        scope: "@arizeai/openinference-instrumentation-openai-agents",
        attributes: { "openinference.span.kind": "TOOL", "tool.name": "search" },
        ...parts,
      });

    it("are unknown: arguments that were refused, an approval that was refused", () => {
      expect(judged(check, [openinference("a", { status: "error" })])).toBe("unknown: may-not-have-run");
    });

    it("are unknown: a call that was given up, an interrupt that waits for a person", () => {
      const attributes = { "openinference.span.kind": "TOOL", "tool.name": "search", "input.value": "x" };
      for (const statusMessage of ["Abandoned", "[]\n\nGraphInterrupt: []"]) {
        const spans = [openinference("a", { status: "error", statusMessage, attributes })];
        expect(judged(check, spans)).toBe("unknown: may-not-have-run");
      }
    });

    it("are unknown: a call that a mediation step denied, which carries its class alone", () => {
      const attributes = { ...UNLABELLED, "trustabl.tool.error_class": "auth" };
      expect(judged(check, [call("a", { attributes })])).toBe("unknown: may-not-have-run");
    });

    it("are unknown: Mastra's answer to invalid arguments", () => {
      const attributes = {
        "mastra.span.type": "tool_call",
        "gen_ai.tool.call.result": '{"error":true,"message":"no"}',
      };
      expect(judged(check, [span("a", { attributes })])).toBe("unknown: may-not-have-run");
    });

    it("are unknown: ADK's answer for a call that waits for its approval or was refused it, in its own scope alone", () => {
      const adk = (error: string, scope = "gcp.vertex.agent") =>
        span("a", {
          name: "execute_tool pay",
          scope,
          attributes: {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "pay",
            "gcp.vertex.agent.tool_response": JSON.stringify({ error }),
          },
        });
      const waits = "This tool call requires confirmation, please approve or reject.";
      expect(judged(check, [adk(waits)])).toBe("unknown: may-not-have-run");
      expect(judged(check, [adk("This tool call is rejected.")])).toBe("unknown: may-not-have-run");
      expect(judged(check, [adk(waits, "other")])).toBe("fail: no-labels");
      expect(judged(check, [adk("no flights")])).toBe("fail: no-labels");
    });

    it("are unknown: a refused call of OpenAI Agents with openlit, which writes empty arguments for it", () => {
      const openlit = (given: string, status: "error" | "ok" = "error") =>
        span("a", {
          name: "execute_tool pay",
          scope: "@openlit/instrumentation-openai-agents",
          status,
          attributes: {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "pay",
            "gen_ai.tool.call.arguments": given,
          },
        });
      expect(judged(check, [openlit("")])).toBe("unknown: may-not-have-run");
      expect(judged(check, [openlit("{}")])).toBe("fail: no-labels");
      expect(judged(check, [openlit("", "ok")])).toBe("fail: no-labels");
    });

    it("are unknown: a refused call of OpenAI Agents with the AWS distribution", () => {
      const aws = (statusMessage: string, more: object = {}) =>
        span("a", {
          name: "execute_tool pay",
          scope: "@aws/aws-distro-opentelemetry-instrumentation-openai-agents",
          status: "error",
          statusMessage,
          attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "pay", ...more },
        });
      const result = { "gen_ai.tool.call.result": "no" };
      expect(judged(check, [aws("Tool execution was not approved.")])).toBe("unknown: may-not-have-run");
      expect(judged(check, [aws("in other words", result)])).toBe("unknown: may-not-have-run");
      expect(judged(check, [aws("Error running tool (non-fatal)")])).toBe("fail: no-labels");
      expect(judged(check, [aws("x", { ...result, "gen_ai.tool.call.arguments": "{}" })])).toBe(
        "fail: no-labels",
      );
    });

    it("are unknown: a Genkit tool that asked a person", () => {
      const attributes = { "genkit:metadata:subtype": "tool", "genkit:name": "pay", "genkit:state": "error" };
      const asked = { ...attributes, "genkit:metadata:interrupt": "{}" };
      expect(judged(check, [span("a", { attributes: asked })])).toBe("unknown: may-not-have-run");
      expect(judged(check, [span("a", { attributes })])).toBe("fail: no-labels");
    });

    it("are unknown: MCP's invalid params, which also stands for an unknown tool", () => {
      const attributes = {
        "traceloop.span.kind": "tool",
        "traceloop.entity.name": "nope",
        "traceloop.entity.output": '{"result":"MCP error -32602: Tool nope not found","is_error":true}',
      };
      expect(judged(check, [span("a", { attributes, status: "error" })])).toBe("unknown: may-not-have-run");
    });

    it("are unknown: a Claude Code tool span without an execution below it", () => {
      const attributes = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "lookup" };
      const refused = span("a", { name: "claude_code.tool", attributes });
      const execution = span("x", { name: "claude_code.tool.execution", parent: "a" });
      expect(judged(check, [refused])).toBe("unknown: may-not-have-run");
      expect(judged(check, [refused, execution])).toBe("fail: no-labels");
    });

    it("are not looked at: hand-overs, lists of tools, provider-run tools, ADK's merged span", () => {
      const spans = [
        openinference("a", { name: "handoff to Specialist" }),
        openinference("b", { name: "mcp_tools" }),
        span("c", {
          attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.type": "extension" },
        }),
        span("d", { name: "execute_tool (merged)", attributes: { "gen_ai.operation.name": "execute_tool" } }),
      ];
      expect(judged(check, spans)).toBe("not-applicable");
    });
  });

  describe("nested spans of one call", () => {
    it("count once: the outermost has to be labelled", () => {
      const spans = [root(), call("a"), mcp("b", "a", "search"), mcp("c", "b", "search")];
      expect(judged(check, spans)).toBe("pass");
    });

    it("fail when only an inner one is labelled, and point at it", () => {
      const [finding] = findingsOf(check, [
        root(),
        call("a", bare),
        call("b", { parent: "a", attributes: { "gen_ai.tool.call.id": "call_a" } }),
      ]);
      expect(finding).toMatchObject({ reason: "labelled-inside", related: { spanId: "6200000000000000" } });
    });

    it("are told apart by the call id where both have one", () => {
      const spans = [root(), call("a"), call("b", { parent: "a", step: 1, attributes: UNLABELLED })];
      expect(judged(check, spans)).toBe("fail: no-labels");
    });

    it("are two calls when an agent stands between", () => {
      const inner = call("b", {
        parent: "inner",
        step: 1,
        attributes: { ...UNLABELLED, "gen_ai.tool.call.id": undefined },
      });
      expect(judged(check, [root(), call("a"), agent("inner", { parent: "a" }), inner])).toBe(
        "fail: no-labels",
      );
    });

    it("match a name behind a server's prefix", () => {
      const outer = call("a", { tool: "mcp__desk__search" });
      expect(judged(check, [root(), outer, mcp("b", "a", "search")])).toBe("pass");
    });
  });

  it("is unknown for an MCP span beside a labelled span of the same tool and time", () => {
    const spans = [root(), call("a", { start: 100, end: 200 }), mcp("b", "root", "search", 120)];
    expect(judged(check, spans)).toBe("unknown: same-call-elsewhere");
    expect(judged(check, [root(), mcp("b", "root", "search", 120)])).toBe("fail: no-labels");
  });
});
