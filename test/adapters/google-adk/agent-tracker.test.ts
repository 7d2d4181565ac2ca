import { context, trace } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { beforeEach, describe, expect, it } from "vitest";
import { AdkAgentTracker } from "../../../src/adapters/google-adk.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import { labelsOf } from "../../support/tracing.ts";

const exporter = new InMemorySpanExporter();
const tracker = new AdkAgentTracker();
const provider = new NodeTracerProvider({ spanProcessors: [tracker, new SimpleSpanProcessor(exporter)] });
const adk = provider.getTracer("gcp.vertex.agent");

/** Starts spans below each other, the outermost first, ends them, and gives the names of those with a handoff id. */
function marked(...names: readonly (string | [name: string, scope: string])[]): string[] {
  let parent = context.active();
  const spans = names.map((named) => {
    const [name, scope] = typeof named === "string" ? [named, "gcp.vertex.agent"] : named;
    const span = provider.getTracer(scope).startSpan(name, {}, parent);
    parent = trace.setSpan(parent, span);
    return span;
  });
  for (const span of spans.reverse()) span.end();
  const finished = exporter.getFinishedSpans().filter((span) => "trustabl.handoff_id" in labelsOf(span));
  return finished.map(({ name }) => name);
}

describe("the tracker of ADK's agents", () => {
  beforeEach(() => exporter.reset());

  it("marks an agent below an agent, whatever stands between", () => {
    expect(
      marked("invocation", "invoke_agent a", "call_llm", ["GET /x", "http"], "invocation", "invoke_agent b"),
    ).toEqual(["invoke_agent b"]);
  });

  it("does not mark the first one, nor one below an agent of another make", () => {
    expect(marked("invocation", "invoke_agent a")).toEqual([]);
    expect(marked(["invoke_agent app", "application"], "invocation", "invoke_agent a")).toEqual([]);
    expect(marked("invoke_agent a", ["invoke_agent b", "strands-agents"])).toEqual([]);
  });

  it("forgets what has ended, and everything when it is shut down", async () => {
    expect(tracker.size).toBe(0);
    const open = adk.startSpan("invoke_agent a");
    expect(tracker.size).toBe(1);
    await tracker.shutdown();
    expect(tracker.size).toBe(0);
    open.end();
  });

  it("is bounded, says so, and never throws", () => {
    const messages = hearDiagnostics();
    const own = new AdkAgentTracker();
    for (let index = 1; index <= 10_001; index += 1) {
      const spanId = index.toString(16).padStart(16, "0");
      own.onStart({
        name: "invoke_agent a",
        instrumentationScope: { name: "gcp.vertex.agent" },
        isRecording: () => true,
        spanContext: () => ({ traceId: "1".repeat(32), spanId, traceFlags: 1 }),
      } as never);
    }
    expect(own.size).toBe(10_000);
    expect(ownMessages(messages)).toEqual([expect.stringContaining("the oldest are forgotten")]);
    own.onStart(undefined as never);
    own.onEnd(undefined as never);
    own.onStart({} as never);
  });
});
