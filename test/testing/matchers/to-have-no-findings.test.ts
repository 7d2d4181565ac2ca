import { trace } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { wrapTool } from "../../../src/index.ts";
import { recordTraces } from "../../../src/testing/index.ts";
import { callTool, runAgent } from "../support/agent.ts";
import "../../../src/testing/vitest.ts";

const search = wrapTool({ name: "search_flights", sideEffect: "read" }, async () => []);
const searchTimes = (times: number) =>
  runAgent(async (tracer) => {
    for (let time = 0; time < times; time += 1) await callTool(tracer, "search_flights", search);
  });
// These runs bind no policies.
const ignore = ["policy_absent", "dspm_unbound"] as const;

describe("toHaveNoFindings", () => {
  it("passes on a run in which no rule fires, of a recording and of spans", async () => {
    await using traces = recordTraces();
    await searchTimes(2);
    await expect(traces).toHaveNoFindings({ ignore });
    expect(await traces.spans()).toHaveNoFindings({ ignore });
  });

  it("fails on a loop, and says where it is and what to do", async () => {
    await using traces = recordTraces();
    await searchTimes(3);
    const spans = await traces.spans();
    expect(() => expect(spans).toHaveNoFindings({ ignore })).toThrow(
      /high tool_loop: Three of five calls in a row are the same call\.\n.*run [0-9a-f]{16}, .*count 3\n.*Cap equal calls/,
    );
    expect(spans).not.toHaveNoFindings({ ignore });
    await expect(traces).not.toHaveNoFindings();
  });

  it("counts what is as severe as asked, and no less", async () => {
    await using traces = recordTraces();
    await searchTimes(3);
    const spans = await traces.spans();
    expect(spans).toHaveNoFindings({ ignore, from: "critical" });
    expect(spans).not.toHaveNoFindings({ ignore, from: "low" });
    expect(() => expect(spans).toHaveNoFindings({ from: "hi" as "high" })).toThrow(TypeError);
  });

  it("does not pass on spans that the rules cannot judge, neither way", async () => {
    await using traces = recordTraces();
    await callTool(trace.getTracer("test"), "search_flights", async () => "not wrapped");
    const spans = await traces.spans();
    expect(() => expect(spans).toHaveNoFindings()).toThrow(/do the spans carry labels/);
    expect(() => expect(spans).not.toHaveNoFindings()).toThrow(/found none/);
  });
});
