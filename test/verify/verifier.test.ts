import { describe, expect, it } from "vitest";
import { findings } from "../../src/findings/index.ts";
import type { Check } from "../../src/verify/checks/check.ts";
import { CHECKS } from "../../src/verify/checks/index.ts";
import { StreamVerifier } from "../../src/verify/engine/verifier.ts";
import {
  CHECK_IDS,
  createVerifier,
  type SpanView,
  VerifyOptionsError,
  verify,
} from "../../src/verify/index.ts";
import { settingsOf } from "../../src/verify/options.ts";
import {
  agent,
  binding,
  call,
  checksWith,
  judged,
  RUN,
  resultOf,
  root,
  span,
  UNLABELLED,
} from "./support/build.ts";

const good = (): SpanView[] => [
  root("root", { events: [binding("egress")] }),
  call("a"),
  call("b", { step: 1, args: { q: "a" }, attempt: 2 }),
];

describe("the verdict", () => {
  it("is pass when every check that applies passes", () => {
    const report = verify(good());
    expect(report.verdict).toBe("pass");
    expect(checksWith(report, "fail")).toEqual([]);
  });

  it("is fail when a check of level error fails", () => {
    expect(verify([...good(), call("c", { step: 2, attributes: UNLABELLED })]).verdict).toBe("fail");
  });

  it("is fail in strict mode when a check cannot tell", () => {
    const spans = [call("a")];
    expect(verify(spans).verdict).toBe("pass");
    expect(verify(spans, { strict: true }).verdict).toBe("fail");
  });

  describe("is never pass when nothing was checked", () => {
    it("no spans", () => {
      expect(verify([])).toMatchObject({ verdict: "nothing-to-check", nothing: "no-spans" });
    });

    it("no tool span", () => {
      expect(verify([root()])).toMatchObject({ verdict: "nothing-to-check", nothing: "no-tool-spans" });
    });

    it("no label", () => {
      const spans = [agent("root"), call("a", { attributes: UNLABELLED })];
      expect(verify(spans)).toMatchObject({ verdict: "nothing-to-check", nothing: "no-labelled-spans" });
    });

    it("no check that could tell", () => {
      const spans = [call("a", { attributes: { ...UNLABELLED, "trustabl.tool.error_class": "auth" } })];
      const report = verify(spans, { only: ["tool-span-labelled"] });
      expect(report).toMatchObject({ verdict: "nothing-to-check", nothing: "nothing-certain" });
    });

    it("no check that was asked for", () => {
      expect(verify(good(), { ignore: CHECK_IDS }).verdict).toBe("nothing-to-check");
    });

    it("but labels on the wrong spans are a finding, also without a tool span", () => {
      const spans = [span("http", { name: "POST /chat", attributes: { "trustabl.tool.attempt": 1 } })];
      expect(verify(spans).verdict).toBe("fail");
    });
  });
});

describe("options", () => {
  it("run only the checks that were asked for, or leave some out", () => {
    expect(verify(good(), { only: ["step-order"] }).checks.map(({ id }) => id)).toEqual(["step-order"]);
    const ids = verify(good(), { ignore: ["step-order"] }).checks.map(({ id }) => id);
    expect(ids).toEqual(CHECK_IDS.filter((id) => id !== "step-order"));
  });

  it("judge one run only", () => {
    const other = { "trustabl.run_id": "00000000000000bb" };
    const spans = [
      ...good(),
      root("r2", { attributes: { ...other, "trustabl.exit_reason": undefined } }),
      call("x", { parent: "r2", attributes: { ...other, "trustabl.tool.attempt": undefined } }),
    ];
    expect(verify(spans).verdict).toBe("fail");
    const report = verify(spans, { run: RUN });
    expect(report).toMatchObject({
      verdict: "pass",
      examined: { toolSpans: 2, runs: 1 },
      skipped: { otherRuns: 2 },
    });
    expect(report.runs.map(({ runId }) => runId)).toEqual([RUN]);
    expect(verify(spans, { run: "no such run" }).verdict).toBe("nothing-to-check");
  });

  it("keep a number of findings and count all", () => {
    const spans = Array.from({ length: 30 }, (_, step) => call(`c${step}`, { step, attributes: UNLABELLED }));
    const result = resultOf(verify([root(), ...spans], { maxFindings: 4 }), "tool-span-labelled");
    expect(result).toMatchObject({ counts: { fail: 30 }, omitted: 26 });
    expect(result.findings.map((finding) => finding.span?.spanId)).toEqual(
      spans.slice(0, 4).map(({ spanId }) => spanId),
    );
  });

  it.each([
    [{ only: ["no-such-check"] }, "unknown_check"],
    [{ ignore: ["step_order"] }, "unknown_check"],
    [{ secrets: [""] }, "empty_secret"],
    [{ secrets: [7] }, "empty_secret"],
    [{ maxFindings: -1 }, "invalid_number"],
    [{ maxOpenSpans: 1.5 }, "invalid_number"],
    [{ skewMilliseconds: Number.NaN }, "invalid_number"],
  ])("that cannot be used are refused: %j", (options, code) => {
    const make = () => createVerifier(options as never);
    expect(make).toThrow(VerifyOptionsError);
    expect(make).toThrow(expect.objectContaining({ code }));
  });
});

describe("spans that come more than once", () => {
  it("count once, and are reported", () => {
    const report = verify([...good(), ...good()]);
    expect(report).toMatchObject({ verdict: "pass", examined: { toolSpans: 2 }, skipped: { duplicates: 3 } });
  });

  it("count as the copy with the labels: another may have been exported before they were written", () => {
    const early = [agent("root"), call("a", { attributes: UNLABELLED })];
    for (const spans of [
      [...early, ...good()],
      [...good(), ...early],
    ]) {
      expect(verify(spans)).toMatchObject({ verdict: "pass", skipped: { duplicates: 2 } });
    }
  });
});

describe("what is no span", () => {
  it.each([
    [undefined],
    [null],
    [7],
    ["span"],
    [{}],
    [{ spanContext: () => ({ traceId: "", spanId: "" }) }],
    [
      {
        get spanContext(): never {
          throw new Error("no");
        },
      },
    ],
    [
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("no");
          },
        },
      ),
    ],
  ])("is reported and not thrown: %#", (input) => {
    const report = verify([input as never, ...good()]);
    expect(report).toMatchObject({ verdict: "fail", incomplete: true, skipped: { unreadable: 1 } });
    expect(report.problems[0]?.code).toBe("not-a-span");
  });
});

describe("what is given as spans", () => {
  it.each([[undefined], [null], [7], ["spans"], [{}]])(
    "is refused when it holds none, with what to give: %j",
    (input) => {
      expect(() => verify(input as never)).toThrow(/^expected spans, such as exporter.getFinishedSpans\(\)/);
      expect(() => findings(input as never)).toThrow(TypeError);
    },
  );

  it("may be any iterable", () => {
    expect(verify(good().values()).verdict).toBe("pass");
  });
});

describe("a span whose values throw when they are looked at", () => {
  it("is reported and not thrown", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const name of ["trustabl.run_id", "gen_ai.tool.call.arguments", "trustabl.note"]) {
      const report = verify([call("x", { attributes: { [name]: proxy } }), ...good()]);
      expect(report).toMatchObject({ verdict: "fail", problems: [{ code: "unreadable-span" }] });
      expect(report.examined.toolSpans).toBe(2);
    }
  });
});

describe("a check that throws", () => {
  it.each(["judgeSpan", "judgeTrace", "judgeRun"] as const)(
    "in %s is unknown, and the others go on",
    (hook) => {
      const broken = (): never => {
        throw new Error("the check is broken");
      };
      const checks: Check[] = CHECKS.map((check) => {
        if (check.id !== "label-values-valid") return check;
        const { judgeSpan: _judgeSpan, ...rest } = check;
        return { ...rest, [hook]: broken };
      });
      const verifier = new StreamVerifier(settingsOf(), checks);
      for (const one of good()) verifier.add(one);
      const report = verifier.finish();
      expect(resultOf(report, "label-values-valid")).toMatchObject({ outcome: "unknown" });
      expect(resultOf(report, "label-values-valid").message).not.toContain("broken");
      expect(resultOf(report, "step-order").outcome).toBe("pass");
      expect(report.verdict).toBe("pass");
    },
  );
});

describe("links between spans", () => {
  it("that form a loop are no ancestors, and end", () => {
    const loop = [
      span("x", { parent: "y" }),
      span("y", { parent: "x" }),
      call("a", { parent: "x" }),
      call("self", { parent: "self", step: 1 }),
    ];
    expect(verify(loop).verdict).toBe("pass");
    expect(judged("run-identity", loop)).toBe("unknown: no-root");
  });

  it("that lead out of the input cost no span: each call is looked at", () => {
    const orphans = [
      call("a", { parent: "lost" }),
      call("b", { parent: "gone", step: 1, attributes: UNLABELLED }),
    ];
    for (const spans of [orphans, orphans.toReversed()]) {
      const report = verify(spans);
      expect(report.examined).toMatchObject({ spans: 2, toolSpans: 2 });
      expect(resultOf(report, "tool-span-labelled")).toMatchObject({ outcome: "fail" });
      expect(resultOf(report, "run-end-marked")).toMatchObject({ outcome: "unknown" });
    }
  });

  it("of any length are followed", () => {
    const chain = Array.from({ length: 40_000 }, (_, index) => ({
      ...span(String(index), index === 0 ? { parent: "root" } : {}),
      spanId: `chain${index}`,
      ...(index === 0 ? {} : { parentSpanId: `chain${index - 1}` }),
    }));
    const deep = { ...call("a"), parentSpanId: "chain39999" };
    expect(judged("run-identity", [root(), ...chain, deep])).toBe("pass");
  });
});

describe("the runs of a report", () => {
  it("are trees of agents, calls and labelled spans with their labels", () => {
    const [run] = verify([
      span("http"),
      root("root", { parent: "http" }),
      span("chat", { parent: "root" }),
      call("a", { parent: "chat" }),
    ]).runs;
    expect(run).toMatchObject({ runId: RUN, toolCalls: 1, exitReason: "final_answer", omitted: 0 });
    expect(run?.tree.map(({ span: { name }, depth, role }) => [name, depth, role])).toEqual([
      ["invoke_agent desk", 0, "agent"],
      ["execute_tool search", 1, "tool"],
    ]);
    expect(run?.tree[1]?.labels).toMatchObject({ "trustabl.step_index": 0, "trustabl.tool.attempt": 1 });
  });

  it("go over several traces", () => {
    const trace = "22222222222222222222222222222222";
    const report = verify([
      ...good(),
      root("later", { trace, start: 2_000, end: 3_000 }),
      call("z", { trace, parent: "later", step: 2, start: 2_100 }),
    ]);
    expect(report.runs).toHaveLength(1);
    expect(report.runs[0]).toMatchObject({ toolCalls: 3, traceIds: [expect.any(String), trace] });
  });

  it("are the first ones", () => {
    const spans = Array.from({ length: 5 }, (_, index) =>
      root(`r${index}`, { start: index, attributes: { "trustabl.run_id": `run-${index}` } }),
    );
    const report = verify(
      [call("a", { parent: "r0", attributes: { "trustabl.run_id": "run-0" } }), ...spans.reverse()],
      { maxRuns: 2 },
    );
    expect(report.runs.map(({ runId }) => runId)).toEqual(["run-0", "run-1"]);
    expect(report.examined.runs).toBe(5);
  });
});
