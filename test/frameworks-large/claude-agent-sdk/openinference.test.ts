/** OpenInference's spans, in this process. */
import * as sdk from "@anthropic-ai/claude-agent-sdk";
import { ClaudeAgentSDKInstrumentation } from "@arizeai/openinference-instrumentation-claude-agent-sdk";
import { context } from "@opentelemetry/api";
import { suppressTracing } from "@opentelemetry/core";
import { afterAll, describe, expect, it } from "vitest";
import { QueryLabels } from "../../../src/adapters/claude-agent-sdk.ts";
import { canonicalFp } from "../../../src/index.ts";
import { scenario } from "../../frameworks/scenario.ts";
import { hermetic, readAll } from "./agent.ts";
import { scripted, startModel } from "./fake-model.ts";
import { declared, describeScenarios, lookup } from "./scenarios.ts";
import { agentSpans, check, labelsOf, startTracing, takeSpans } from "./tracing.ts";

const row = "Claude Agent SDK 0.3, OpenInference 0.3";
const labels = new QueryLabels({ tools: declared });
const tracerProvider = startTracing(labels.spanProcessor);
const model = await startModel();
const { options, remove } = hermetic(model.url);
const instrumentation = new ClaudeAgentSDKInstrumentation({ tracerProvider });
const { query } = instrumentation.manuallyInstrument({ ...sdk, query: labels.wrap(sdk.query) });

afterAll(() => {
  model.close();
  remove();
});

describeScenarios({
  row,
  query,
  options,
  takeSpans: async () => takeSpans(),
  agentSpan: "ClaudeAgent.query",
});

describe("OpenInference", () => {
  it("keeps the input before a hook rewrote it; the label is of what ran", async () => {
    takeSpans();
    const rewrite = async () => ({
      hookSpecificOutput: { hookEventName: "PreToolUse" as const, updatedInput: { q: "a" } },
    });
    await readAll(
      query({
        prompt: scripted([[lookup("a", { secret: "s" })]]),
        options: { ...options(), hooks: { PreToolUse: [{ hooks: [rewrite] }] } },
      }),
    );
    const spans = takeSpans();
    const [span] = check(spans, 1, agentSpans(spans));
    expect(span?.attributes["input.value"]).toBe('{"q":"a","secret":"s"}');
    expect(labelsOf(span)["trustabl.tool.input_fp"]).toBe(canonicalFp({ q: "a" }));
  });

  it(
    "makes no spans where tracing is suppressed, and nothing is thrown",
    scenario(row, "telemetry-off"),
    async () => {
      takeSpans();
      const messages = await context.with(suppressTracing(context.active()), () =>
        readAll(query({ prompt: scripted([[lookup("a")]]), options: options() })),
      );
      expect(messages.at(-1)?.type).toBe("result");
      expect(takeSpans()).toEqual([]);
    },
  );
});
