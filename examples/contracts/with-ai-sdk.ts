/** The contracts in the AI SDK: the model is shown the schema, and the guarded function answers. */
import { generateText, jsonSchema, stepCountIs, type ToolSet, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { done, script } from "./scripts.ts";
import { contracts, guarded } from "./tools.ts";

const tools: ToolSet = Object.fromEntries(
  Object.values(contracts).map((contract) => [
    contract.name,
    tool({
      description: contract.description,
      inputSchema: jsonSchema(contract.jsonSchema("ai-sdk")),
      execute: guarded[contract.name]!,
    }),
  ]),
);

/** Runs the agent, and gives back what the model was told of each call that was refused. */
export async function runWithAiSdk(): Promise<string[]> {
  let turn = 0;
  const model = new MockLanguageModelV3({
    doGenerate: async () => {
      const call = script[turn++];
      return {
        content: call
          ? [
              {
                type: "tool-call",
                toolCallId: `ai_${turn}`,
                toolName: call[0],
                input: JSON.stringify(call[1]),
              },
            ]
          : [{ type: "text", text: done }],
        finishReason: { unified: call ? "tool-calls" : "stop", raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
  const { steps } = await generateText({
    model,
    tools,
    prompt: "The nightly build is red.",
    stopWhen: stepCountIs(10),
    experimental_telemetry: { isEnabled: true },
  });
  return steps.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === "tool-error" ? (part.error as Error).message : [])),
  );
}
