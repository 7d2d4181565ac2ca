import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { canonicalFp } from "../../../src/index.ts";
import { hearDiagnostics, ownMessages } from "../../support/diagnostics.ts";
import { useContextManager } from "../../support/tracing.ts";
import { inputSchema, modes } from "./agent.ts";
import { Application } from "./request.ts";
import { call } from "./scripted-model.ts";

useContextManager();

describe.each(modes)("an abort while a tool runs, with $title", ({ version, streaming, answer }) => {
  it("leaves the labels of the start on the span, and those of the end where the span outlives the tool", async () => {
    const application = new Application();
    const messages = hearDiagnostics();
    const controller = new AbortController();
    let finished = false;
    const slow = {
      inputSchema,
      execute: async () => {
        controller.abort();
        await sleep(20);
        finished = true;
        return "late";
      },
    };
    const run = answer(application, {
      script: [[call("call_1", "slow")], "done"],
      tools: { slow },
      abortSignal: controller.signal,
    });
    await run.catch(() => undefined);
    await expect.poll(() => finished).toBe(true);
    await sleep(5);
    const { call_1 } = application.labelsByCall();
    expect(call_1).toMatchObject({ attempt: 1, step_index: 0, input_fp: canonicalFp({ q: "same" }) });
    const cut = version.major === 7 && streaming;
    expect(call_1?.output_fp).toBe(cut ? undefined : canonicalFp("late"));
    // What was lost is said.
    expect(ownMessages(messages)).toHaveLength(cut ? 1 : 0);
  });
});
