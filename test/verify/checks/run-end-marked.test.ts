import { describe, expect, it } from "vitest";
import { agent, call, findingsOf, judged, root, span } from "../support/build.ts";

const check = "run-end-marked";
const endless = { "trustabl.exit_reason": undefined };

describe(check, () => {
  it("passes when the root span says how the run ended", () => {
    expect(judged(check, [root(), call("a")])).toBe("pass");
  });

  it("is not applicable without a run", () => {
    expect(judged(check, [span("a")])).toBe("not-applicable");
  });

  it("fails on a root span that ended without a reason", () => {
    expect(judged(check, [root("root", { attributes: endless }), call("a")])).toBe("fail: no-exit-reason");
  });

  it("fails on a reason that is none of the four", () => {
    const spans = [root("root", { attributes: { "trustabl.exit_reason": "done" } }), call("a")];
    expect(judged(check, spans)).toBe("fail: exit-reason-invalid");
  });

  it("fails when another span of the trace carries the reason, and points at it", () => {
    const spans = [
      root("root", { attributes: endless }),
      call("a", { attributes: { "trustabl.exit_reason": "final_answer" } }),
    ];
    expect(findingsOf(check, spans)[0]).toMatchObject({
      reason: "exit-reason-elsewhere",
      related: { name: "execute_tool search" },
    });
  });

  it("points at a span that carries the reason and no run id", () => {
    const spans = [
      root("root", { attributes: endless }),
      call("a"),
      agent("other", { parent: "root", attributes: { "trustabl.exit_reason": "error" } }),
    ];
    expect(findingsOf(check, spans)[0]).toMatchObject({
      reason: "exit-reason-elsewhere",
      related: { spanId: "6f74686572000000" },
    });
  });

  it("reads the end from the outermost span of the run only", () => {
    const inner = agent("inner", { parent: "root", attributes: { "trustabl.run_id": "00000000000000aa" } });
    expect(judged(check, [root(), inner, call("a", { parent: "inner" })])).toBe("pass");
  });

  it("is unknown when the root is not in the export", () => {
    expect(judged(check, [call("a")])).toBe("unknown: no-root");
  });

  it("is unknown while the root has not ended", () => {
    expect(judged(check, [root("root", { attributes: endless, end: null }), call("a")])).toBe(
      "unknown: not-ended",
    );
  });

  it("is unknown when the SDK dropped attributes of the root", () => {
    const spans = [root("root", { attributes: endless, droppedAttributes: 1 }), call("a")];
    expect(judged(check, spans)).toBe("unknown: attributes-dropped");
  });

  it("takes a root in another trace for the root: some instrumentations give each span its own", () => {
    const apart = { trace: "11111111111111111111111111111111" };
    const spans = [root(), call("a", { ...apart, parent: undefined as never })];
    expect(judged(check, spans)).toBe("pass");
  });
});
