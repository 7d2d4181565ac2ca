/** One run of the flight desk: the labels need `withRun` around it, and `wrapTool` in tools.ts. */
import { trace } from "@opentelemetry/api";
import { type StartRunOptions, withRun } from "agent-reliability-otel-labels";
import { generateText, stepCountIs } from "ai";
import { scriptedModel } from "./scripted-model.ts";
import { tools } from "./tools.ts";

export function runFlightDesk(prompt: string, policies: StartRunOptions["policies"]): Promise<string> {
  const attributes = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "flight-desk" };
  return trace
    .getTracer("flight-desk")
    .startActiveSpan("invoke_agent flight-desk", { attributes }, async (root) => {
      try {
        const result = await withRun(
          root,
          () =>
            generateText({
              model: scriptedModel(),
              tools,
              prompt,
              stopWhen: stepCountIs(10),
              experimental_telemetry: { isEnabled: true },
            }),
          {
            policies,
            exitReason: ({ finishReason }) => (finishReason === "tool-calls" ? "max_steps" : undefined),
          },
        );
        return result.text;
      } finally {
        root.end();
      }
    });
}
