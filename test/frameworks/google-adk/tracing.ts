/** The tracing of this suite, and what every scenario of it has to keep. */
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { expect } from "vitest";
import { AdkAgentTracker } from "../../../src/adapters/google-adk.ts";
import { byStep, expectOnly, expectPass, isDelegated, labelsOf, startTracing } from "../traced.ts";

export { expectPass, isDelegated, labelsOf, verified } from "../traced.ts";

export const agentTracker: AdkAgentTracker = new AdkAgentTracker();
export const { provider, takeSpans, inRequest, inRun } = startTracing(agentTracker);

const isRoot = ({ name, instrumentationScope }: ReadableSpan) =>
  name.startsWith("invoke_agent ") && instrumentationScope.name !== "gcp.vertex.agent";

/**
 * Every scenario: as many labelled calls as given, nothing of ours elsewhere but on roots and delegated agents, and a verifier
 * that finds nothing wrong and nothing that it cannot tell.
 *
 * @returns the calls' spans, in the order of their steps
 */
export function checked(spans: readonly ReadableSpan[], calls: number): ReadableSpan[] {
  const toolSpans = byStep(spans.filter((span) => "trustabl.tool.input_fp" in span.attributes));
  expect(toolSpans).toHaveLength(calls);
  for (const span of toolSpans) expect(span.name).toMatch(/^execute_tool (?!\(merged)/);
  expectOnly(spans, (span) => toolSpans.includes(span) || isRoot(span) || isDelegated(span));
  for (const span of spans.filter(isDelegated)) {
    expect(span.name).toMatch(/^invoke_agent /);
    expect(Object.keys(labelsOf(span))).toEqual(["trustabl.handoff_id"]);
  }
  expectPass(spans);
  return toolSpans;
}

export const root = (spans: readonly ReadableSpan[]): ReadableSpan | undefined => spans.find(isRoot);
