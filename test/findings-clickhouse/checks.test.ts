import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recogniseSpan } from "../../src/attributes/conventions.ts";
import { checkSql, SQL_CHECK_IDS } from "../../src/findings/index.ts";
import { type SpanView, verify } from "../../src/verify/index.ts";
import { ClickHouse } from "./clickhouse.ts";
import { generateRuns } from "./generate.ts";

interface Fault {
  readonly check: string;
  readonly reason: string;
  readonly message: string;
  readonly run_id: string;
  readonly trace_id: string;
  readonly span_id: string;
}

const EVERYTHING = 1_000_000_000;
const RUNS = Number(process.env.FINDINGS_RUNS ?? 200);

// The table holds no counts of dropped attributes, and every value is a text there: "3" counts as 3.
const asTheTableHolds = (span: SpanView): SpanView => ({
  ...span,
  droppedAttributes: 0,
  droppedEvents: 0,
  attributes: Object.fromEntries(
    Object.entries(span.attributes).map(([name, value]) => [
      name,
      COUNTS.includes(name) && typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value,
    ]),
  ),
});
const COUNTS = ["trustabl.step_index", "trustabl.tool.attempt"];

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

/** One copy of each span: of two the verifier takes the first, and the SQL the one with more labels. */
const once = (spans: readonly SpanView[]): SpanView[] => [
  ...new Map(spans.map((span) => [`${span.traceId} ${span.spanId}`, span])).values(),
];

/** Now and then what the generated runs never show: a step that repeats or is missing, steps against time, counts that restart. */
function disturbed(spans: readonly SpanView[]): SpanView[] {
  return spans.map((span, index) => {
    const { attributes } = span;
    const step = attributes["trustabl.step_index"];
    const attempt = attributes["trustabl.tool.attempt"];
    const change = (more: Record<string, unknown>) => ({ ...span, attributes: { ...attributes, ...more } });
    if (typeof step !== "number") {
      if (index % 31 === 0 && attributes["trustabl.run_id"] !== undefined)
        return change({ "trustabl.tool.side_effect": "read" });
      return index % 29 === 0 ? change({ "trustabl.exit_reason": undefined }) : span;
    }
    if (index % 61 === 0) return change({ "trustabl.step_index": step + 1 });
    if (index % 67 === 0) return change({ "trustabl.step_index": undefined });
    if (index % 71 === 0) {
      return { ...span, start: (span.start ?? 0n) + 400_000_000n, end: (span.end ?? 0n) + 400_000_000n };
    }
    if (index % 41 === 0) return change({ "trustabl.exit_reason": "final_answer" });
    if (index % 73 === 0) return change({ "trustabl.run_id": "another-run" });
    if (index % 79 === 0) return change({ "trustabl.run_id": undefined });
    if (typeof attempt === "number" && index % 37 === 0)
      return change({ "trustabl.tool.attempt": attempt + 1 });
    if (index % 83 === 0) return { ...span, scope: "@traceloop/instrumentation-langchain" };
    return span;
  });
}

describe("the checks of verify in SQL", () => {
  const clickHouse = new ClickHouse();
  const spans = disturbed(once(generateRuns(RUNS, 29))).map(asTheTableHolds);
  const report = verify(spans, { maxFindings: EVERYTHING, maxOpenSpans: EVERYTHING });
  const line = (parts: readonly unknown[]) => parts.join(" ");

  beforeAll(() => clickHouse.insert(spans), 600_000);
  afterAll(() => clickHouse.close());

  // What the SQL leaves to the verifier.
  const leftOut = new Set(["root-unlabelled", "shared-by-runs"]);
  const isFingerprint = (value: unknown) => typeof value === "string" && /^[0-9a-f]{16}$/.test(value);
  const isCall = (span: SpanView) =>
    COUNTS.some((name) => span.attributes[name] !== undefined) || recogniseSpan(span)?.role === "tool";
  // Runs in which the place of a call is not known, and calls of which it is not known which are equal.
  const leftToVerifier = new Set(
    spans.flatMap((span) => {
      const { attributes, spanId } = span;
      const labelled =
        (attributes["trustabl.tool.input_fp"] ?? attributes["trustabl.tool.attempt"]) !== undefined;
      return [
        ...(isCall(span) && labelled && !isCount(attributes["trustabl.step_index"])
          ? [String(attributes["trustabl.run_id"])]
          : []),
        ...(isFingerprint(attributes["trustabl.tool.input_fp"]) ? [] : [spanId]),
      ];
    }),
  );
  const expected = (check: string) =>
    (report.checks.find(({ id }) => id === check)?.findings ?? []).filter(
      ({ outcome, reason, runId = "", span }) =>
        outcome === "fail" &&
        !leftOut.has(reason) &&
        !(check === "attempt-count" && (leftToVerifier.has(runId) || leftToVerifier.has(span?.spanId ?? ""))),
    );

  it.each(SQL_CHECK_IDS)("find what %s finds, span by span", (check) => {
    const found = clickHouse.rows<Fault>(checkSql(check));
    expect(found.map((one) => line([one.reason, one.run_id, one.trace_id, one.span_id])).sort()).toEqual(
      expected(check)
        .map(({ reason, runId = "", span }) => line([reason, runId, span?.traceId, span?.spanId]))
        .sort(),
    );
    for (const { message } of found) expect(message).toMatch(/\.$/);
  });

  it("do so on spans on which each reason that is said in SQL occurs", () => {
    const reasons = new Set(SQL_CHECK_IDS.flatMap(expected).map(({ reason }) => reason));
    expect([...reasons].sort()).toEqual([
      "different-run",
      "disorder",
      "duplicate",
      "exit-reason-elsewhere",
      "exit-reason-invalid",
      "jump",
      "missing",
      "no-exit-reason",
      "no-run-id",
      "on-agent-span",
      "on-other-span",
      "outside-run",
      "repeat",
      "restart",
    ]);
  });

  it("look at one run only, where one is asked for", () => {
    const [first] = expected("step-order");
    const runId = first?.runId as string;
    const found = clickHouse.rows<Fault>(checkSql("step-order", { runId }));
    expect(found.length).toBe(expected("step-order").filter((one) => one.runId === runId).length);
  });
});
