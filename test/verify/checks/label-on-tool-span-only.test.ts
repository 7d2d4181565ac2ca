import { describe, expect, it } from "vitest";
import { agent, call, findingsOf, judged, root, span } from "../support/build.ts";

const check = "label-on-tool-span-only";

describe(check, () => {
  it("passes when labels of calls stand on tool spans", () => {
    expect(judged(check, [root(), call("a")])).toBe("pass");
  });

  it("is not applicable without labels of calls", () => {
    expect(judged(check, [root()])).toBe("not-applicable");
  });

  it("fails on an agent's span, and names the label", () => {
    const [finding] = findingsOf(check, [root("root", { attributes: { "trustabl.step_index": 0 } })]);
    expect(finding).toMatchObject({ reason: "on-agent-span", attribute: "trustabl.step_index" });
  });

  it("fails on the application's own span", () => {
    const http = span("http", {
      name: "POST /chat",
      attributes: { "trustabl.tool.input_fp": "0123456789abcdef" },
    });
    expect(judged(check, [http, call("a")])).toBe("fail: on-other-span");
  });

  it("fails on a span for which no tool function runs", () => {
    const merged = call("m", { name: "execute_tool (merged)" });
    expect(judged(check, [merged])).toBe("fail: on-no-call");
  });

  it("accepts them on a hand-over, for which some frameworks run a function", () => {
    const handover = call("h", { tool: "transfer_to_agent", scope: "gcp.vertex.agent" });
    expect(judged(check, [handover])).toBe("pass");
  });

  it("is unknown where dropped attributes hide the span's kind", () => {
    const unclear = span("x", { attributes: { "trustabl.tool.attempt": 1 }, droppedAttributes: 2 });
    expect(judged(check, [unclear])).toBe("unknown: attributes-dropped");
  });

  it("does not mind run labels on agents", () => {
    expect(judged(check, [root(), agent("b"), call("a")])).toBe("pass");
  });
});
