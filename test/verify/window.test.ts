import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CheckId,
  createVerifier,
  type Outcome,
  type Report,
  readOtlp,
  type SpanView,
  verify,
} from "../../src/verify/index.ts";
import { agent, call, checksWith, resultOf, root, span, UNLABELLED } from "./support/build.ts";
import { labelExport } from "./support/label-export.ts";
import { fixture, removeAttribute, setAttribute, spansOf } from "./support/otlp.ts";

const traceId = (family: string, index: number): string => `${family}${index.toString(16).padStart(31, "0")}`;

/** Correct runs in traces of their own. */
function runs(count: number, size: number): SpanView[] {
  return Array.from({ length: count }, (_, index) => {
    const trace = traceId("a", index);
    const attributes = { "trustabl.run_id": `run-${index}` };
    const start = index * 1_000;
    return [
      ...Array.from({ length: size }, (_unused, step) =>
        call(`${index}c${step}`, {
          trace,
          parent: `${index}r`,
          step,
          start: start + 10 + step * 40,
          attributes,
        }),
      ),
      root(`${index}r`, { trace, start, end: start + 900, attributes }),
    ];
  }).flat();
}

/** Runs whose roots never come, so that they wait as long as the window allows. */
const openRuns = (count: number): SpanView[] =>
  runs(count, 5).filter(({ name }) => !name.startsWith("invoke_agent"));

const outcomes = (report: Report): Map<CheckId, Outcome> =>
  new Map(report.checks.map(({ id, outcome }) => [id, outcome]));

describe("a window that is smaller than the input", () => {
  it("changes nothing for runs whose spans arrive near each other", () => {
    const spans = runs(50, 5);
    const report = verify(spans, { maxOpenSpans: 20 });
    expect(report).toMatchObject({
      verdict: "pass",
      incomplete: false,
      examined: { spans: 300, toolSpans: 250, runs: 50 },
    });
    expect(checksWith(report, "unknown")).toEqual([]);
  });

  it("says unknown about a run whose root comes when it is forgotten", () => {
    const [late, ...others] = [
      root(),
      call("a", { attributes: UNLABELLED }),
      call("b", { step: 1 }),
    ].reverse();
    const report = verify([late as SpanView, ...openRuns(40), ...others], { maxOpenSpans: 30 });
    expect(report.incomplete).toBe(true);
    for (const id of ["tool-span-labelled", "step-order", "run-identity"] as const) {
      expect(resultOf(report, id).outcome).toBe("unknown");
    }
    expect(
      verify([late as SpanView, ...openRuns(40), ...others], { maxOpenSpans: 30, strict: true }).verdict,
    ).toBe("fail");
  });

  it("does not call a span unlabelled whose outer span was forgotten", () => {
    const inner = span("inner", {
      parent: "a",
      scope: "mcp",
      attributes: { "mcp.method.name": "tools/call", "gen_ai.tool.name": "search" },
    });
    const spans = [inner, ...openRuns(40), call("a"), root()];
    expect(resultOf(verify(spans, { maxOpenSpans: 30 }), "tool-span-labelled").outcome).toBe("unknown");
    expect(resultOf(verify(spans), "tool-span-labelled").outcome).toBe("pass");
  });

  it("keeps traces without agents shortest", () => {
    const web = Array.from({ length: 2_000 }, (_, index) =>
      span(`w${index}`, { trace: traceId("b", index) }),
    );
    const [first, ...rest] = runs(1, 5);
    const report = verify([first as SpanView, ...web, ...rest], { maxOpenSpans: 100 });
    expect(report).toMatchObject({ verdict: "pass", incomplete: false });
  });

  it("puts a run together that goes on in a later trace", () => {
    const trace = "2".repeat(32);
    const spans = [
      call("a"),
      root("root", { end: 300 }),
      ...runs(12, 4),
      call("z", { trace, parent: "later", step: 1, start: 90_000 }),
      root("later", { trace, start: 80_000, end: 99_000 }),
    ];
    const report = verify(spans, { maxOpenSpans: 40 });
    expect(checksWith(report, "fail")).toEqual([]);
    expect(resultOf(report, "step-order").counts.pass).toBe(13);
  });
});

describe("whatever the window and the order", () => {
  const correct = [
    ...runs(6, 4),
    ...readOtlp(labelExport(fixture("openai-agents-as-tool"))).spans,
    ...readOtlp(labelExport(fixture("mcp-traceloop-sequential"))).spans,
    ...readOtlp(fixture("ai-sdk-6-labelled")).spans,
  ];
  const shuffled = (spans: readonly SpanView[]) =>
    fc.tuple(
      fc.array(fc.nat(), { minLength: spans.length, maxLength: spans.length }),
      fc.integer({ min: 0, max: spans.length }),
    );
  const inOrder = (spans: readonly SpanView[], keys: readonly number[]): SpanView[] =>
    spans
      .map((one, index) => ({ one, key: keys[index] as number }))
      .sort((a, b) => a.key - b.key)
      .map(({ one }) => one);

  it("correct spans never fail", () => {
    fc.assert(
      fc.property(shuffled(correct), ([keys, maxOpenSpans]) => {
        expect(checksWith(verify(inOrder(correct, keys), { maxOpenSpans }), "fail")).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("what fails with all spans in sight never passes", () => {
    const broken = (() => {
      const otlp = labelExport(fixture("openai-agents-as-tool"));
      const calls = spansOf(otlp).filter(
        ({ span: one }) => one.name === "get_weather" || one.name === "ask_inner",
      );
      for (const { span: one } of calls) {
        setAttribute(one, "trustabl.step_index", 0);
        setAttribute(one, "trustabl.tool.attempt", 1);
      }
      for (const { span: one } of spansOf(otlp)) removeAttribute(one, /exit_reason|handoff_id/);
      return [
        ...readOtlp(otlp).spans,
        ...runs(3, 3),
        call("u1", { attributes: UNLABELLED, status: "error" }),
        call("u2", { step: 1, attributes: { "trustabl.run_id": "elsewhere" } }),
        call("u3", { step: 2, args: { note: "Ada Lovelace" } }),
        root("root", { attributes: { "trustabl.run_id": "Ada Lovelace" } }),
        agent("sub", { parent: "u3" }),
      ];
    })();
    const failing = checksWith(verify(broken), "fail");
    expect(failing.length).toBeGreaterThan(6);
    fc.assert(
      fc.property(shuffled(broken), ([keys, maxOpenSpans]) => {
        const found = outcomes(verify(inOrder(broken, keys), { maxOpenSpans }));
        for (const id of failing) expect([id, found.get(id)]).not.toEqual([id, "pass"]);
        for (const id of failing) expect([id, found.get(id)]).not.toEqual([id, "not-applicable"]);
      }),
      { numRuns: 300 },
    );
  });
});

describe("memory", () => {
  // Heap in use after a collection, in MB.
  const heap = (): number => {
    setFlagsFromString("--expose-gc");
    runInNewContext("gc")();
    return process.memoryUsage().heapUsed / 1_048_576;
  };

  it("does not grow with the number of spans", () => {
    const verifier = createVerifier({ maxOpenSpans: 5_000 });
    const feed = (from: number, count: number): void => {
      for (let index = from; index < from + count; index += 1) {
        const trace = traceId("c", index);
        const attributes = { "trustabl.run_id": `run ${index}` };
        const result = { text: `${index} `.repeat(40) };
        for (let step = 0; step < 4; step += 1) {
          verifier.add(call(`${step}`, { trace, parent: "r", step, result, attributes }));
        }
        verifier.add(root("r", { trace, attributes }));
      }
    };
    feed(0, 2_000);
    const before = heap();
    feed(2_000, 10_000);
    const grown = heap() - before;
    expect(verifier.finish()).toMatchObject({
      verdict: "pass",
      incomplete: false,
      examined: { spans: 60_000 },
    });
    // 50,000 more spans; a few MB for the ids that were dealt with. Without the window it is more than 60.
    expect(grown).toBeLessThan(12);
  }, 60_000);
});
