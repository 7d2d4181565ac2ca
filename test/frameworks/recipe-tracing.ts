/** The tracing of a recipe's suite, and what every scenario of it has to keep. */
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { expect } from "vitest";
import { ToolSpanTracker } from "../../src/tracker/index.ts";
import { byStep, expectOnly, isDelegated, startTracing as start, type Traced, verified } from "./traced.ts";

export { expectOnly, isDelegated, labelsOf } from "./traced.ts";

let traced: Traced;
/** Registers the provider, as an application does at its start. */
export function startTracing(): void {
  traced = start(new ToolSpanTracker());
}
export const takeSpans: Traced["takeSpans"] = () => traced.takeSpans();
export const inRequest: Traced["inRequest"] = (fn) => traced.inRequest(fn);
export const inRun: Traced["inRun"] = (fn, options) => traced.inRun(fn, options);

const isRoot = (span: ReadableSpan) => "trustabl.exit_reason" in span.attributes;

/**
 * Every scenario: each tool span labelled, nothing of ours elsewhere but on roots and delegated agents, and a verifier, which
 * reads the OTLP JSON as a receiver would, that finds nothing wrong.
 *
 * @param unknown what the verifier cannot tell of this framework's spans: the reasons it gives
 * @returns the calls' spans, in the order of their steps
 */
export function checked(
  spans: readonly ReadableSpan[],
  isTool: (span: ReadableSpan) => boolean,
  calls: number,
  unknown: readonly string[] = [],
): ReadableSpan[] {
  const toolSpans = byStep(spans.filter(isTool));
  expect(toolSpans).toHaveLength(calls);
  expectOnly(spans, (span) => toolSpans.includes(span) || isRoot(span) || isDelegated(span));
  const report = verified(spans);
  const doubts = report.checks.filter(({ outcome }) => outcome === "fail" || outcome === "unknown");
  const told = doubts.flatMap(({ outcome, findings }) =>
    findings.map(({ reason }) => `${outcome}: ${reason}`),
  );
  expect([...new Set(told)]).toEqual(unknown.map((reason) => `unknown: ${reason}`));
  expect(report.verdict).toBe(calls === 0 ? "nothing-to-check" : "pass");
  return toolSpans;
}

/** Step and attempt of each. */
export const counts = (spans: readonly ReadableSpan[]): unknown[] =>
  spans.map(({ attributes }) => [attributes["trustabl.step_index"], attributes["trustabl.tool.attempt"]]);
