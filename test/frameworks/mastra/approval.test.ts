import { describe, expect, it } from "vitest";
import { exitReasonOf, labelTools } from "../../../src/adapters/mastra.ts";
import { canonicalFp } from "../../../src/index.ts";
import { useContextManager } from "../../support/tracing.ts";
import { Application, isToolSpan, labelsOf, rootsOf } from "../application.ts";
import { scenario } from "../scenario.ts";
import { type Any, agentIn, bridged, ROW, toolOf } from "./agent.ts";
import { call } from "./scripted-model.ts";

useContextManager();

/** A request that waits for an approval, and the one that answers it. */
const approve = async (application: Application, method: string, tool: Any) => {
  const agent = agentIn(bridged(application), {
    script: [[call("call_1", "book")]],
    tools: labelTools({ book: tool }, { book: { sideEffect: "irreversible" } }),
  });
  const options = { exitReason: (result: Any) => exitReasonOf(result) };
  const { runId, finishReason } = (await application.request(() => agent.generate("go"), options)) as Any;
  expect(finishReason).toBe("suspended");
  const before = (await application.spans()).filter(isToolSpan).map(labelsOf);
  const { text } = (await application.request(
    (root) => agent[method]({ runId, toolCallId: "call_1", ...resumedIn(root) }),
    options,
  )) as Any;
  expect(text).toBe("done");
  return { before, tracesOfRuns: rootsOf(await application.spans()).map(({ traceId }) => traceId) };
};

// By default Mastra puts what is resumed into the trace of the request that was stopped.
const resumedIn = (root: Any) => {
  const { traceId, spanId } = root.spanContext();
  return { tracingOptions: { traceId, parentSpanId: spanId } };
};

describe("an approval in Mastra", () => {
  it(
    "that is granted lets the call through, which counts in the run that resumed",
    scenario(ROW, "approval-granted"),
    async () => {
      const application = new Application();
      const book = toolOf("book", async ({ q }) => q, { requireApproval: true });
      const { before } = await approve(application, "approveToolCallGenerate", book);
      expect(before).toEqual([]);
      const [, second] = rootsOf(await application.spans()).map(labelsOf);
      expect(await application.labelsByCall()).toEqual({
        call_1: {
          run_id: second?.run_id,
          step_index: 0,
          attempt: 1,
          side_effect: "irreversible",
          input_fp: canonicalFp({ q: "same" }),
          output_fp: canonicalFp("same"),
        },
      });
      expect(await application.findings()).toEqual([]);
    },
  );

  it("that is refused runs no tool, so nothing is labelled", scenario(ROW, "approval-refused"), async () => {
    const application = new Application();
    const book = toolOf("book", async ({ q }) => q, { requireApproval: true });
    await approve(application, "declineToolCallGenerate", book);
    expect((await application.spans()).filter(isToolSpan)).toEqual([]);
    expect(await application.findings()).toEqual([]);
  });
});

describe("a Mastra tool that suspends itself", () => {
  it("has no result yet, and is the first attempt again in the run that resumed", async () => {
    const application = new Application();
    const { z } = await import("zod");
    const book = toolOf(
      "book",
      async ({ q }, { agent }) => {
        if (agent.resumeData !== undefined) return q;
        await agent.suspend({ sure: false });
        return undefined;
      },
      { suspendSchema: z.object({ sure: z.boolean() }), resumeSchema: z.object({ sure: z.boolean() }) },
    );
    const agent = agentIn(bridged(application), {
      script: [[call("call_1", "book")]],
      tools: labelTools({ book }),
    });
    const { runId } = (await application.request(() => agent.generate("go"))) as Any;
    const resumed = (await application.request((root) =>
      agent.resumeGenerate({ sure: true }, { runId, toolCallId: "call_1", ...resumedIn(root) }),
    )) as Any;
    expect(resumed.text).toBe("done");
    const calls = (await application.spans()).filter(isToolSpan).map(labelsOf);
    expect(calls.map(({ attempt, step_index }) => [attempt, step_index])).toEqual([
      [1, 0],
      [1, 0],
    ]);
    expect(calls.map(({ output_fp }) => output_fp)).toEqual([undefined, canonicalFp("same")]);
    expect(new Set(calls.map(({ run_id }) => run_id)).size).toBe(2);
    expect(await application.findings()).toEqual([]);
  });
});
