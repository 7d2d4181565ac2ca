import * as newest from "@openai/agents";
import { expect, it } from "vitest";
import { z } from "zod";
import { exitReasonOf, exitReasonOfError, labelTools } from "../../../src/adapters/openai-agents.ts";
import { openInference } from "./open-inference.ts";
import { calls, says, scriptedModel } from "./scripted-model.ts";
import { asRun, exported, labelsOf, traceAgents } from "./traced.ts";

const tools = labelTools([
  newest.tool({
    name: "get_weather",
    description: "The weather of a city",
    parameters: z.object({ city: z.string() }),
    execute: async () => "Sunny",
  }),
]);
const rome = (callId: string) => [calls("get_weather", { city: "Rome" }, callId)];

it.each([
  ["the cap on turns", "max_steps", {}, { maxTurns: 2 }],
  [
    "a guardrail of the output",
    "policy_stop",
    {
      outputGuardrails: [{ name: "no", execute: async () => ({ tripwireTriggered: true, outputInfo: {} }) }],
    },
    {},
  ],
])("a run that %s stops ends with %s", async (_, reason, settings, options) => {
  traceAgents(newest, openInference);
  const model = scriptedModel(
    newest,
    rome("1"),
    ...(reason === "max_steps" ? [rome("2"), rome("3")] : [[says("no")]]),
  );
  const agent = new newest.Agent({ name: "Helper", model: model as never, tools, ...settings });
  const run = asRun(() => new newest.Runner().run(agent, "q", options), { exitReasonOfError });
  await expect(run).rejects.toThrow();
  const { named } = await exported();
  expect(labelsOf(named("invoke_agent app"))["trustabl.exit_reason"]).toBe(reason);
});

it.each([1, 2])(
  "a stream that is aborted in turn %s, which throws at nobody, ends with error",
  async (turn) => {
    traceAgents(newest, openInference);
    const controller = new AbortController();
    let turns = 0;
    const aborting = newest.tool({
      name: "get_weather",
      description: "The weather of a city",
      parameters: z.object({ city: z.string() }),
      execute: async () => {
        turns += 1;
        if (turns === turn) controller.abort();
        return "Sunny";
      },
    });
    const model = scriptedModel(newest, rome("1"), rome("2"), [says("Sunny")]);
    const agent = new newest.Agent({ name: "Helper", model: model as never, tools: labelTools([aborting]) });
    await asRun(
      async () => {
        const stream = await new newest.Runner().run(agent, "q", { stream: true, signal: controller.signal });
        await stream.completed;
        return stream;
      },
      { exitReason: exitReasonOf, exitReasonOfError },
    );
    expect(turns).toBe(turn);
    const { named } = await exported({ passes: false });
    expect(labelsOf(named("invoke_agent app"))["trustabl.exit_reason"]).toBe("error");
  },
);

it("a stream that is read to its end ends with a final answer", async () => {
  traceAgents(newest, openInference);
  const model = scriptedModel(newest, rome("1"), [says("Sunny")]);
  const agent = new newest.Agent({ name: "Helper", model: model as never, tools });
  await asRun(
    async () => {
      const stream = await new newest.Runner().run(agent, "q", { stream: true });
      await stream.completed;
      return stream;
    },
    { exitReason: exitReasonOf, exitReasonOfError },
  );
  const { named } = await exported();
  expect(labelsOf(named("invoke_agent app"))["trustabl.exit_reason"]).toBe("final_answer");
});
