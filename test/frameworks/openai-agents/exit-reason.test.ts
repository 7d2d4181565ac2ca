import * as newest from "@openai/agents";
import { expect, it } from "vitest";
import { z } from "zod";
import { exitReasonOfError, labelTools } from "../../../src/adapters/openai-agents.ts";
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
