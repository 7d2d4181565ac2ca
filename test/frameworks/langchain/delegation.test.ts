import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import * as callbackManager from "@langchain/core/callbacks/manager";
import { RunnableLambda } from "@langchain/core/runnables";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { describe, expect, it } from "vitest";
import { labelTools } from "../../../src/adapters/langchain.ts";
import { createAgent, question, scripted, search, searchTool, tool, z } from "./agents.ts";
import { expectNoOtherLabels, inRequest, inRun, labelsOf, provider, takeSpans, verified } from "./tracing.ts";

new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(callbackManager);

const [labelledSearch] = labelTools([searchTool]);
const ask = (id: string) => ({ name: "ask", args: { q: "x" }, id });

/** A tool that hands its work to another agent. */
const asking = (delegate: () => Promise<unknown>) =>
  tool(
    async () => {
      await delegate();
      return "answered";
    },
    { name: "ask", description: "Asks another agent.", schema: z.object({ q: z.string() }) },
  );

const helper = (name?: string) =>
  createAgent({
    model: scripted([search("c1"), search("c2")]),
    tools: [labelledSearch],
    ...(name === undefined ? {} : { name }),
  });

async function spansOf(delegate: () => Promise<unknown>, ...ids: string[]): Promise<readonly ReadableSpan[]> {
  const agent = createAgent({
    model: scripted(ids.map(ask)),
    tools: labelTools([asking(delegate)]),
    name: "main",
  });
  await inRequest(() => inRun(() => agent.invoke(question)));
  return takeSpans();
}

const isTool = (span: ReadableSpan) => span.attributes["openinference.span.kind"] === "TOOL";
const named = (spans: readonly ReadableSpan[], name: string) => spans.filter((span) => span.name === name);
const parentOf = (spans: readonly ReadableSpan[], child: ReadableSpan | undefined) =>
  spans.find((span) => span.spanContext().spanId === child?.parentSpanContext?.spanId);

function expectDelegated(spans: readonly ReadableSpan[], delegated: readonly ReadableSpan[]): void {
  for (const span of delegated) {
    expect(Object.keys(labelsOf(span))).toEqual(["trustabl.handoff_id"]);
  }
  expect(new Set(delegated.map((span) => labelsOf(span)["trustabl.handoff_id"])).size).toBe(delegated.length);
  const roots = named(spans, "invoke_agent helper");
  expectNoOtherLabels(spans, [...spans.filter(isTool), ...roots, ...delegated]);
  const report = verified(spans);
  expect(report.checks.find(({ id }) => id === "handoff-marked")?.outcome).toBe("pass");
  expect(report.verdict).toBe("pass");
}

describe("an agent that a tool calls", () => {
  it("carries a handoff id on its own span, and the run counts on through its tools", async () => {
    const spans = await spansOf(() => helper("sub").invoke(question), "a1");
    const [sub] = named(spans, "sub");
    expect(parentOf(spans, sub)?.name).toBe("ask");
    expectDelegated(spans, [sub as ReadableSpan]);
    const steps = spans
      .filter(isTool)
      .map((span) => [
        span.name,
        labelsOf(span)["trustabl.step_index"],
        labelsOf(span)["trustabl.tool.attempt"],
      ])
      .sort((a, b) => Number(a[1]) - Number(b[1]));
    expect(steps).toEqual([
      ["ask", 0, 1],
      ["search", 1, 1],
      ["search", 2, 2],
    ]);
    expect(new Set(spans.filter(isTool).map((span) => labelsOf(span)["trustabl.run_id"])).size).toBe(1);
  });

  it("has an id of its own for each delegation, also at the same time", async () => {
    const spans = await spansOf(() => helper("sub").invoke(question), "a1", "a2");
    expect(named(spans, "sub")).toHaveLength(2);
    expectDelegated(spans, named(spans, "sub"));
  });

  it("carries it without a name, and called through a chain", async () => {
    const chain = new RunnableLambda({ func: () => helper().invoke(question) });
    const spans = await spansOf(() => chain.invoke("x"), "a1");
    const [sub] = named(spans, "LangGraph");
    expect(parentOf(spans, sub)?.name).toBe("RunnableLambda");
    expectDelegated(spans, [sub as ReadableSpan]);
  });

  it("carries it where it streams", async () => {
    const spans = await spansOf(async () => {
      for await (const part of await helper("sub").stream(question)) void part;
    }, "a1");
    expectDelegated(spans, named(spans, "sub"));
  });

  it("leaves a chain that is no agent alone", async () => {
    const spans = await spansOf(() => new RunnableLambda({ func: () => "x" }).invoke("x"), "a1");
    expect(named(spans, "RunnableLambda").length).toBeGreaterThan(0);
    expectNoOtherLabels(spans, [...spans.filter(isTool), ...named(spans, "invoke_agent helper")]);
    expect(verified(spans).verdict).toBe("pass");
  });
});
